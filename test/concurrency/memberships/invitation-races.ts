import { expect } from 'vitest';
import { newId, publicId } from '../../../src/core/id.ts';
import { rows, sql } from '../../../src/database/sql.ts';
import { uuidOf } from '../../support/ids.ts';
import { atTheSameMoment, counted, doneOf, ofKind } from '../scheduling/at-the-same-moment.ts';
import { codes, type Group, type Groups, MANY } from './groups.ts';

/** An invitation to a group of either kind, about which many do something at the same moment. */
export const INVITATION_RACES: Readonly<Record<string, (groups: Groups, group: Group) => Promise<void>>> = {
  'lets in one of 50 who follow its link': async (groups, group) => {
    const { token } = await groups.invited(group);
    expect(counted(await atTheSameMoment(MANY, groups.follow(token)))).toEqual({ done: 1, LINK_OVER: MANY - 1 });
    expect(await groups.stateOf(group)).toEqual({ members: 1, owners: 1, invitations: 0 });
  },

  'that is withdrawn while others follow it is either withdrawn or followed, once': async (groups, group) => {
    const { invitationId, token } = await groups.invited(group);
    const withdraw = groups.inGroup(group, 'InvitationDelete', { invitationId });
    const answers = await atTheSameMoment(MANY, groups.follow(token), withdraw);
    expect(doneOf(answers)).toHaveLength(1);
    expect([...codes(answers)].toSorted()).toEqual(['LINK_OVER', 'NOT_FOUND', 'done']);
    const joined = doneOf(ofKind(answers, 0, 2)).length;
    expect(await groups.stateOf(group)).toEqual({ members: joined, owners: 1, invitations: 0 });
  },

  'that is sent again while others follow it lets one in, or nobody any more': async (groups, group) => {
    const { invitationId, token } = await groups.invited(group);
    const resend = groups.inGroup(group, 'InvitationResend', { invitationId });
    const answers = await atTheSameMoment(MANY, groups.follow(token), resend);
    const [followed, resent] = [ofKind(answers, 0, 2), ofKind(answers, 1, 2)];
    const joined = doneOf(followed).length;
    expect(joined + Math.min(doneOf(resent).length, 1)).toBeGreaterThanOrEqual(1);
    expect(joined).toBeLessThanOrEqual(1);
    expect(await groups.stateOf(group)).toEqual({ members: joined, owners: 1, invitations: 1 - joined });
    // Whoever comes later has lost the old link either way.
    expect((await groups.follow(token)(0)).code).toBe('LINK_OVER');
  },

  'that expires while 50 follow it lets in one at most': async (groups, group) => {
    const { token } = await groups.invited(group, undefined, '30 milliseconds');
    const answers = await atTheSameMoment(MANY, groups.follow(token));
    const { done = 0, LINK_OVER = 0 } = counted(answers);
    expect([done <= 1, done + LINK_OVER]).toEqual([true, MANY]);
    expect((await groups.stateOf(group)).members).toBe(done);
  },

  'is made once for an address, however many invite it': async (groups, group) => {
    const invite = groups.inGroup(group, 'InvitationCreate', { email: 'once@mail.test', role: 'MEMBER' });
    expect(counted(await atTheSameMoment(MANY, invite))).toEqual({ done: 1, ALREADY_INVITED: MANY - 1 });
    expect((await groups.stateOf(group)).invitations).toBe(1);
  },

  'makes somebody a member once, by the link or as the account that has the address': async (groups, group) => {
    const guest = await groups.scene.person();
    const email = `${newId()}@both.test`;
    await rows(groups.em(), sql`update users set email = ${email} where id = ${uuidOf(guest.id)}`);
    const { invitationId, token } = await groups.invited(group, email);
    const membershipId = publicId('membership', uuidOf(invitationId));
    const byAccount = groups.inGroup(group, 'MembershipUpdate', { membershipId, isAccepted: true }, guest);
    const answers = await atTheSameMoment(MANY, byAccount, groups.follow(token));
    const [accounts, links] = [ofKind(answers, 0, 2), ofKind(answers, 1, 2)];
    // A membership has the id of its invitation, so that to accept again what was accepted changes nothing.
    expect(doneOf(links).length === 1 ? codes(accounts) : codes(links)).toEqual(
      doneOf(links).length === 1 ? new Set(['NOT_FOUND']) : new Set(['LINK_OVER']),
    );
    expect(await groups.stateOf(group)).toEqual({ members: 1, owners: 1, invitations: 0 });
  },

  'by the id of an account, which is withdrawn while it is accepted, is one of the two': async (groups, group) => {
    const guest = await groups.scene.person();
    const membershipId = await groups.join(group, guest, 'MEMBER', false);
    const accept = groups.inGroup(group, 'MembershipUpdate', { membershipId, isAccepted: true }, guest);
    const withdraw = groups.inGroup(group, 'MembershipDelete', { membershipId });
    const answers = await atTheSameMoment(MANY, accept, withdraw);
    // The next one removes the person who has accepted.
    expect(counted(ofKind(answers, 1, 2))).toEqual({ done: 1, NOT_FOUND: MANY / 2 - 1 });
    expect([...codes(ofKind(answers, 0, 2))].filter((code) => code !== 'done' && code !== 'NOT_FOUND')).toEqual([]);
    expect((await groups.stateOf(group)).members).toBe(0);
  },

  'of both kinds to one person, which both are accepted at once, make them a member once': async (groups, group) => {
    const guest = await groups.scene.person();
    const { token } = await groups.invited(group);
    const membershipId = await groups.join(group, guest, 'MEMBER', false);
    const accept = groups.inGroup(group, 'MembershipUpdate', { membershipId, isAccepted: true }, guest);
    const answers = await atTheSameMoment(MANY, accept, groups.followAs(guest, token));
    expect(codes(ofKind(answers, 0, 2))).toEqual(new Set(['done']));
    // A person who is a member already leaves the link to others.
    const { invitations, ...state } = await groups.stateOf(group);
    expect(state).toEqual({ members: 1, owners: 1 });
    expect(doneOf(ofKind(answers, 1, 2)).length + invitations).toBe(1);
  },

  'counts no longer once its sender has lost the right, whoever comes first': async (groups, group) => {
    const sender = await groups.scene.person();
    const senderId = await groups.join(group, sender, 'ADMIN');
    const { token } = await groups.invited({ ...group, owner: sender });
    const demote = groups.inGroup(group, 'MembershipUpdate', { membershipId: senderId, role: 'MEMBER' });
    const answers = await atTheSameMoment(MANY, groups.follow(token), demote);
    expect(codes(ofKind(answers, 1, 2))).toEqual(new Set(['done']));
    const joined = doneOf(ofKind(answers, 0, 2)).length;
    expect(joined).toBeLessThanOrEqual(1);
    expect(await groups.stateOf(group)).toEqual({ members: 1 + joined, owners: 1, invitations: 1 - joined });
    expect((await groups.follow(token)(0)).code).toBe('LINK_OVER');
  },
};
