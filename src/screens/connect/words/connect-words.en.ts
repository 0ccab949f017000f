/** Connecting an account at somebody else's service, in English. */
export const CONNECT_EN = {
  again: 'Begin once more where you began: in the app, or in your settings.',
  over: {
    title: 'This link does not work any more',
    message: 'It was used already, or its ten minutes are over.',
  },
  anotherUser: {
    title: 'Somebody else has begun this',
    message: 'The account was to be connected by another user than the one who is signed in here, so nothing was done.',
    advice: 'Sign in as the user who has begun it, and open the link again.',
  },
  refused: {
    title: 'Nothing was connected',
    message: (provider: string) => `${provider} has given no access, as you or it decided.`,
  },
  failed: {
    title: (provider: string) => `${provider} could not be connected`,
    /** `said`: as the provider or its connection has failed. */
    message: (said: string, _provider: string) => said,
  },
  done: {
    title: 'Connected',
    heading: (provider: string | undefined) => `${provider ?? 'The account'} is connected`,
    what: 'You can close this window, or go back to the app.',
    calendars: 'Choose which calendars make you busy',
    apps: 'See your video calls',
    appsOfTeam: 'See the video calls of the team',
    home: 'Go to the start page',
  },
};
