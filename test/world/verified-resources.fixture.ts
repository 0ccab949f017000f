import type { ReceiverKind } from '../../src/modules/verified-resources/verified-resource.rules.ts';
import { storeVerified } from '../support/verified-resources.ts';
import { by, type Filling, type Fixture, type Maker } from './fixture.ts';

/** Something that is verified for Ada or her team, which no other test has. */
const verified = (kind: ReceiverKind, group: 'own' | 'team') => async (maker: Maker) => {
  const owner = group === 'own' ? maker.userId('ada') : await maker.id('teams', 'sales');
  return { [kind === 'EMAIL' ? 'verifiedEmailId' : 'verifiedPhoneId']: await maker.verified(kind, owner) };
};

/** A receiver of Ada's or her team's, with a code that was sent there. */
const codeFor = (kind: ReceiverKind, group: 'own' | 'team') => async (maker: Maker) => {
  const owner = group === 'own' ? maker.userId('ada') : await maker.id('teams', 'sales');
  const receiver = kind === 'EMAIL' ? maker.address() : maker.number();
  return { [kind === 'EMAIL' ? 'email' : 'phone']: receiver, code: await maker.code(kind, owner, receiver) };
};

async function fillInVerified({ world }: Filling, owner: string): Promise<void> {
  const { em } = world.api.database;
  await storeVerified(em, 'EMAIL', owner, 'grace@example.test');
  await storeVerified(em, 'PHONE', owner, '+4930123456');
}

export const fixture: Fixture = {
  things: { verifiedEmail: {}, verifiedPhone: {} },
  inputs: {
    emailVerificationRequest: by('own', (maker) => ({ email: maker.address() })),
    verifiedEmailCreate: by('own', codeFor('EMAIL', 'own')),
    phoneVerificationRequest: by('own', (maker) => ({ phone: maker.number() })),
    verifiedPhoneCreate: by('own', codeFor('PHONE', 'own')),
    teamPhoneVerificationRequest: by('team', (maker) => ({ phone: maker.number() })),
    teamVerifiedPhoneCreate: by('team', codeFor('PHONE', 'team')),
    teamEmailVerificationRequest: by('team', (maker) => ({ email: maker.address() })),
    teamVerifiedEmailCreate: by('team', codeFor('EMAIL', 'team')),
    verifiedEmailDelete: by('own', verified('EMAIL', 'own')),
    verifiedPhoneDelete: by('own', verified('PHONE', 'own')),
    teamVerifiedEmailDelete: by('team', verified('EMAIL', 'team')),
    teamVerifiedPhoneDelete: by('team', verified('PHONE', 'team')),
  },
  fillPerson: (filling, { userId }) => fillInVerified(filling, userId),
  fillGroups: (filling) => fillInVerified(filling, filling.teamId),
};
