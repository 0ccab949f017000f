import { sql } from '../../src/database/sql.ts';
import { storeApp } from '../support/conferencing-apps.ts';
import { by, type Fixture, type Maker } from './fixture.ts';

/** An app that is not connected, since there is one of its kind at the most. */
const unconnectedApp = async (maker: Maker) => {
  await maker.rows(sql`delete from conferencing_apps where app = 'video' returning id`);
  return { app: 'video' };
};

/** An app beside the default. */
const secondApp = (group: 'own' | 'team') => async (maker: Maker) => {
  const owner = group === 'own' ? maker.userId('ada') : await maker.id('teams', 'sales');
  return { conferencingAppId: await maker.secondApp(owner) };
};

export const fixture: Fixture = {
  things: { conferencingApp: {} },
  inputs: {
    conferencingAppConnect: by('own', unconnectedApp),
    conferencingAppDisconnect: by('own', secondApp('own')),
    conferencingAppDefaultSet: by('own', secondApp('own')),
    teamConferencingAppConnect: by('team', unconnectedApp),
    teamConferencingAppDisconnect: by('team', secondApp('team')),
    teamConferencingAppDefaultSet: by('team', secondApp('team')),
  },
  // It has no account, so that there is a reason why it cannot be used.
  fillPerson: async ({ world }, { userId }) => void (await storeApp(world.api.database.em, userId, 'zoom')),
  fillGroups: async ({ world, teamId }) => void (await storeApp(world.api.database.em, teamId, 'zoom')),
};
