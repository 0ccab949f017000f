/** Letting an app in, and ending its access, in English. */
import { html } from 'hono/html';
import type { PersonError } from '../../../oauth/protocol/oauth-error.ts';

/** What stands in none is said as the error itself says it. */
const ERRORS: Readonly<Partial<Record<PersonError, string>>> = {};

export const CONSENT_EN = {
  consent: {
    title: (app: string) => `Allow ${app}`,
    heading: (app: string) => html`Allow <bdi>${app}</bdi> to use your account?`,
    notYou: 'Not you? Use another account',
    able: 'This app will be able to:',
    everything: {
      title: 'This app will be able to do everything',
      what: 'This app was registered before permissions existed, so it asks for none by name. It will be able to see and change all your resources: event types, bookings, schedules, calendars, your profile, and those of your teams and organizations. It cannot change your password or manage other apps.',
    },
    allow: 'Allow',
    deny: 'Cancel',
    later: (path: string) => html`You can end its access at any time under <a href="${path}">Apps you authorized</a>.`,
    madeBy: 'Made by',
    website: 'Website',
    checked: 'Checked',
    verified: html`<mark>Verified</mark> by an administrator of this service`,
    notVerified: 'Not verified',
    missing: {
      review: 'no administrator has looked at this app',
      address: 'the e-mail address of its developer is not confirmed',
      both: 'no administrator has looked at this app, and the e-mail address of its developer is not confirmed',
    },
    leadsTo: 'Takes you to',
    onDevice: 'an app on this device, ',
  },
  apps: {
    title: 'Apps you authorized',
    none: 'No app has access to your account. When you allow one, it stands here, and you can end its access at any time.',
    what: 'Each may do what is listed under it, until you end its access.',
    endAll: (app: string) => html`End all access<span class="unseen"> of <bdi>${app}</bdi></span> …`,
    endOne: 'End this one …',
    allowed: 'Allowed',
    lastUsed: 'Last used',
    everything: 'It may do everything: it is from before permissions existed.',
    may: (count: number) => `What it may do (${count})`,
  },
  revoke: {
    all: {
      title: (app: string) => `End all access of ${app}?`,
      what: 'Everywhere you use the app it is signed out of your account, and its tokens are refused at once.',
    },
    one: {
      title: (app: string) => `End one access of ${app}?`,
      what: 'Where you allowed it that time the app is signed out of your account; elsewhere it goes on.',
    },
    button: 'End the access',
    done: 'The access was ended; its tokens are refused from now on.',
  },
  refused: {
    errors: ERRORS,
    over: 'This request is over',
    stuck: 'You cannot go on like this',
    outOfUse: {
      title: 'This app cannot be used at the moment',
      message: 'Nobody can sign in with it, so nothing was shared with it.',
      advice: 'There is nothing wrong with your account. Ask those who make the app, and show them the details below.',
    },
    invalid: {
      title: 'This app’s request is invalid',
      message: 'Something is wrong with the link that brought you here, so nothing was shared with the app.',
      advice:
        'Go back to the app and try once more. If you come here again, show the details below to those who make the app.',
    },
    details: 'Details for the app’s developer',
    error: 'Error',
    parameter: 'Parameter',
    whatToDo: 'What to do',
    listed: (path: string) =>
      html`Requests of your clients that were refused are listed in the <a href="${path}">developer settings</a>.`,
    lookAgain: 'Look at the request once more',
    whichAccount: 'Which account do you want to use with the app?',
    goOnAs: (name: string) => html`Go on as <bdi>${name}</bdi>`,
    otherAccount: 'Sign in with the other account',
  },
};
