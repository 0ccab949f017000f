import { ago } from '../../database/expressions.ts';
import { sweepOf } from '../../database/sweep.ts';
import { DAYS_KEPT } from './workflow.rules.ts';
import { WorkflowSending } from './workflow-sending.entity.ts';

export const removeOldSendings = sweepOf(WorkflowSending, 'createdAt', ago(DAYS_KEPT, 'days'));
