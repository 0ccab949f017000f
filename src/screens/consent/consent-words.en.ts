/** Letting an app in, and ending its access, in English. */
import { html } from 'hono/html';
import type { PersonError } from '../../oauth/protocol/oauth-error.ts';

const ERRORS: Readonly<Record<PersonError, string>> = {
  UNKNOWN: 'This page doesn’t exist, or the request has expired. Go back to the app and start again.',
  FORGED:
    'Your answer didn’t come from the page we showed you, or that page is too old. See the request again and answer there.',
  UNDECIDED: 'Please choose either Allow or Cancel.',
  STUCK: 'This request can’t continue. Go back to the app and start again.',
  OTHER_BROWSER: 'This page belongs to another browser, or cookies are turned off. Go back to the app and start again.',
  OVER: 'Go back to the app and start again.',
  OTHER_ACCOUNT: 'This page was opened for another account, not the one you’re signed in with.',
  ANSWERED: 'You’ve already answered this request. Go back to the app.',
  LOADED_AHEAD: 'This page can’t be loaded ahead. Please open it.',
  FRAMED: 'This page can’t be shown inside another one. Please open it in its own window.',
};

export const CONSENT_EN = {
  consent: {
    title: (app: string) => `Allow ${app}`,
    heading: (app: string) => html`Allow <bdi>${app}</bdi> to use your account?`,
    notYou: 'Not you? Use another account',
    able: 'This app will be able to:',
    everything: {
      title: 'This app will be able to do everything',
      what: 'This app was registered before permissions existed, so it can’t ask for individual ones. It will be able to see and change everything: your event types, bookings, schedules, calendars and profile, and those of your teams and organizations. It can’t change your password or manage other apps.',
    },
    allow: 'Allow',
    deny: 'Cancel',
    later: (path: string) => html`You can end its access at any time under <a href="${path}">Apps with access</a>.`,
    madeBy: 'Made by',
    website: 'Website',
    checked: 'Checked',
    verified: html`<mark>Verified</mark> by an administrator of this service`,
    notVerified: 'Not verified',
    missing: {
      review: 'no administrator has reviewed this app',
      address: 'its developer’s e-mail address isn’t confirmed',
      both: 'no administrator has reviewed this app, and its developer’s e-mail address isn’t confirmed',
    },
    leadsTo: 'Takes you to',
    onDevice: 'an app on this device, ',
  },
  apps: {
    title: 'Apps with access',
    none: 'No app has access to your account. Apps you allow show up here, and you can end their access at any time.',
    what: 'These apps can access your account until you end their access.',
    endAll: (app: string) => html`End all access<span class="unseen"> of <bdi>${app}</bdi></span> …`,
    suspended:
      'This app is suspended and can’t use your account at the moment. Once it’s reinstated, it can do again what you allowed.',
    endOne: 'End this access …',
    allowed: 'Allowed',
    lastUsed: 'Last used',
    everything: 'It can do everything, because it was registered before permissions existed.',
    may: (count: number) => `What it can do (${count})`,
  },
  revoke: {
    all: {
      title: (app: string) => `End all access of ${app}?`,
      what: 'The app is signed out of your account everywhere you use it, and its tokens stop working immediately.',
    },
    one: {
      title: (app: string) => `End one access of ${app}?`,
      what: 'The app is signed out of your account where you gave it this access. Elsewhere, it stays signed in.',
    },
    button: 'End access',
    done: 'Access ended. The app’s tokens no longer work.',
  },
  refused: {
    errors: ERRORS,
    over: 'This request has expired',
    stuck: 'You can’t continue from here',
    outOfUse: {
      title: 'This app can’t be used at the moment',
      message: 'No one can sign in with it, so nothing was shared with it.',
      advice: 'Your account is fine. Contact the app’s developer and show them the details below.',
    },
    invalid: {
      title: 'This app’s request is invalid',
      message: 'Something is wrong with the link that brought you here, so nothing was shared with the app.',
      advice:
        'Go back to the app and try again. If you end up here again, show the details below to the app’s developer.',
    },
    details: 'Details for the app’s developer',
    error: 'Error',
    parameter: 'Parameter',
    whatToDo: 'What to do',
    listed: (path: string) =>
      html`You’ll find recent failed requests of your OAuth clients in the <a href="${path}">developer settings</a>.`,
    lookAgain: 'See the request again',
    whichAccount: 'Which account do you want to use with the app?',
    goOnAs: (name: string) => html`Continue as <bdi>${name}</bdi>`,
    otherAccount: 'Sign in with the other account',
  },
};
