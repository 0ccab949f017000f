/** The forms of a group's page. */
export const GROUP_FORMS = ['profile', 'invite', 'resend', 'withdraw'] as const;
export type GroupForm = (typeof GROUP_FORMS)[number];

/** What a group's page can say that was done. */
export const GROUP_DONE = [...GROUP_FORMS, 'created', 'joined', 'removed', 'role', 'handed-over', 'gone'] as const;
export type GroupDone = (typeof GROUP_DONE)[number];
