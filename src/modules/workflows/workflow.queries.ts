import type { OwnedTable } from '../levels/owned.queries.ts';
import { Workflow } from './workflow.entity.ts';

export const WORKFLOWS: OwnedTable<typeof Workflow> = { entity: Workflow, kind: 'workflow', owner: 'teamId' };
