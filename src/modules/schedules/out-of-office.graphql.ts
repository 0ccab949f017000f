import type { InputBuilder } from '../../graphql/builder.ts';
import { LONG_TEXT, REASON } from '../../graphql/limits/price.ts';
import { listFilter, meeting } from '../../graphql/list-filter.ts';
import { rowType } from '../../graphql/row.ts';
import { reads, writes } from '../../scopes/declare.ts';
import { people, User } from '../accounts/accounts.graphql.ts';
import { PERSON } from '../accounts/user.queries.ts';
import { isVisible } from '../levels/owned.queries.ts';
import { resource } from '../levels/resource.graphql.ts';
import {
  CREATE_OUT_OF_OFFICE_CODES,
  createOutOfOffice,
  deleteOutOfOffice,
  UPDATE_OUT_OF_OFFICE_CODES,
  updateOutOfOffice,
} from './out-of-office.commands.ts';
import { OutOfOffice as OutOfOfficeEntity } from './out-of-office.entity.ts';
import { COLLEAGUE, OUT_OF_OFFICE } from './out-of-office.queries.ts';
import { MAX_ABSENCES, MAX_DAYS, MAX_NOTES_LENGTH, MAX_REASON_LENGTH } from './out-of-office.rules.ts';

const data = reads('SCHEDULE');

const OutOfOffice = rowType(OutOfOfficeEntity, 'OutOfOffice', {
  description: 'Time in which somebody cannot be booked, whatever their schedule says.',
  fields: (t) => ({
    id: t.ownedId(['userId', 'id'], 'outOfOffice', { requires: data }),
    userId: t.id('userId', 'user', { requires: data, description: 'The user who is away.' }),
    user: t.part(PERSON, { type: User, requires: people, description: 'The user who is away.' }),
    start: t.column('startsAt', { requires: data, description: 'When the period starts.' }),
    end: t.column('endsAt', { requires: data, description: 'The end, when they can be booked again.' }),
    reason: t.column('reason', {
      price: REASON,
      requires: data,
      description: 'The reason. Null: none.',
      guard: (row, reason) => (isVisible(row) ? reason : null),
    }),
    notes: t.column('notes', {
      price: LONG_TEXT,
      requires: data,
      description: 'Notes for the owner and administrators, which bookers do not see. Null: none.',
      guard: (row, notes) => (isVisible(row) ? notes : null),
    }),
    redirectTo: t.part(COLLEAGUE, {
      type: User,
      nullable: true,
      requires: data,
      description:
        'The colleague to whom booking pages lead meanwhile. Null for none, and once that person is no longer a colleague.',
      guard: (row, colleague) => (isVisible(row) ? colleague : null),
    }),
    createdAt: t.column('createdAt', { requires: data }),
    updatedAt: t.column('updatedAt', { requires: data }),
  }),
});

// The people who plan for a group must know when somebody is away. The reason is for their superiors only.
const OF_MEMBERS =
  'When its members cannot be booked, by member. Null unless you administer it. `reason`, `notes` and `redirectTo` of those whose role stands above yours are left out.';

resource({
  type: OutOfOffice,
  owned: OUT_OF_OFFICE,
  belongsTo: 'PERSON',
  reads: data,
  writes: writes('SCHEDULE'),
  list: {
    name: 'outOfOffice',
    one: 'outOfOfficeEntry',
    filter: listFilter('OutOfOffice', {
      during: meeting('startsAt', 'endsAt', 'Away for some of this time.'),
    }),
    describes: {
      user: 'When you cannot be booked, in the order in which it was entered.',
      team: OF_MEMBERS,
      organization: OF_MEMBERS,
    },
  },
  create: {
    input: newOutOfOfficeFields,
    errors: CREATE_OUT_OF_OFFICE_CODES,
    run: createOutOfOffice,
    describes: {
      user: `Adds a period in which you are out of office. You can have ${MAX_ABSENCES}, past ones included.`,
      team: 'Adds an out-of-office period for a member of a team that you administer.',
      organization: 'Adds an out-of-office period for a member of an organization that you administer.',
    },
  },
  update: {
    input: outOfOfficePatchFields,
    errors: UPDATE_OUT_OF_OFFICE_CODES,
    run: updateOutOfOffice,
    describes: {
      user: 'Changes an out-of-office of yours. What is left out stays; null empties `reason`, `notes` and `redirectToUserId`.',
      team: 'Changes an out-of-office of a member of a team that you administer. What is left out stays as it is.',
      organization:
        'Changes an out-of-office of a member of an organization that you administer. What is left out stays as it is.',
    },
  },
  delete: {
    run: deleteOutOfOffice,
    describes: {
      user: 'Deletes an out-of-office period of yours.',
      team: 'Lets a member of a team that you administer be booked again.',
      organization: 'Lets a member of an organization that you administer be booked again.',
    },
  },
});

/** The input of a new out-of-office. */
function newOutOfOfficeFields(t: InputBuilder) {
  return {
    ...outOfOfficePatchFields(t),
    start: t.field({ type: 'DateTime', required: true, description: 'When the period starts.' }),
    end: t.field({
      type: 'DateTime',
      required: true,
      description: `Until then: after the start, by ${MAX_DAYS} days at most.`,
    }),
  };
}

/** The input of a change of an out-of-office. */
function outOfOfficePatchFields(t: InputBuilder) {
  return {
    start: t.field({ type: 'DateTime', description: 'When the period starts.' }),
    end: t.field({ type: 'DateTime', description: `Until then: after the start, by ${MAX_DAYS} days at most.` }),
    reason: t.string({ description: `In a few words: at most ${MAX_REASON_LENGTH} characters. Null: none.` }),
    notes: t.string({
      description: `At most ${MAX_NOTES_LENGTH} characters; bookers do not see them. Null empties them.`,
    }),
    redirectToUserId: t.id({
      description:
        'A colleague, of one team or organization, by their id (`usr_…`): on those days, booking pages lead to theirs.',
    }),
  };
}
