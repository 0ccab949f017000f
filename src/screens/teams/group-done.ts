/** The forms of a group's page. */
export const GROUP_FORMS = ['profile', 'invite', 'resend', 'withdraw'] as const;
export type GroupForm = (typeof GROUP_FORMS)[number];

/** The actions that a group's page can say were done. */
export const GROUP_DONE = [...GROUP_FORMS, 'created', 'joined', 'removed', 'role', 'handed-over', 'gone'] as const;
export type GroupDone = (typeof GROUP_DONE)[number];
