import { expect, test } from 'vitest';
import type { Problem } from '../../../src/core/problem.ts';
import type { WorkflowAction } from '../../../src/modules/workflows/workflow.rules.ts';
import { requireSendable } from '../../../src/modules/workflows/workflow-fields.ts';

const steps = (...actions: readonly WorkflowAction[]) =>
  actions.map((action) => ({
    id: action,
    action,
    sendTo: null,
    subject: null,
    body: 'Hello',
    includesCalendarEvent: false,
    senderName: null,
  }));

test('steps that send SMS are refused, each at its place, where nobody sends them, and others are not', () => {
  const mixed = steps('EMAIL_HOST', 'SMS_ATTENDEE', 'SMS_NUMBER');
  expect(() => requireSendable(mixed, true, ['steps'])).not.toThrow();
  expect(() => requireSendable(steps('EMAIL_HOST', 'EMAIL_ATTENDEE'), false, ['steps'])).not.toThrow();
  const mistakes = (): readonly string[] => {
    try {
      requireSendable(mixed, false, ['steps']);
      return [];
    } catch (error) {
      return ((error as Problem).mistakes ?? []).map(({ code, path }) => `${code} ${path?.join(' ')}`);
    }
  };
  expect(mistakes()).toEqual(['SMS_UNAVAILABLE steps 1 action', 'SMS_UNAVAILABLE steps 2 action']);
});
