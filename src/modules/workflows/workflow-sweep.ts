import { ago } from '../../database/expressions.ts';
import { sweepOf } from '../../database/sweep.ts';
import { WorkflowSending } from './sendings/workflow-sending.entity.ts';
import { DAYS_KEPT } from './workflow.rules.ts';

export const removeOldSendings = sweepOf(WorkflowSending, 'createdAt', ago(DAYS_KEPT, 'days'));
