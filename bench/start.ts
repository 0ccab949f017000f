/** Figures of one run are compared with each other only: machines differ, and drift. */
import { benchEnforcement } from './enforcement.ts';
import { benchScopeEngine } from './scope-engine.ts';

benchScopeEngine();
await benchEnforcement();
