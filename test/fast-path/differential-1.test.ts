import { testPart } from './differential.ts';

testPart(1);
