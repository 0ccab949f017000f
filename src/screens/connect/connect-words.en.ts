/** Connecting an account at somebody else's service, in English. */
export const CONNECT_EN = {
  again: 'Start again where you started: in the app or in your settings.',
  over: {
    title: 'This link no longer works',
    message: 'It was already used, or its ten minutes are over.',
  },
  anotherUser: {
    title: 'Someone else started this',
    message: 'You’re signed in as a different user than the one who started this, so nothing was connected.',
    advice: 'Sign in as the user who started it, then open the link again.',
  },
  refused: {
    title: 'Nothing was connected',
    message: (provider: string) => `${provider} didn’t give us access: you declined, or ${provider} did.`,
  },
  failed: {
    title: (provider: string) => `${provider} couldn’t be connected`,
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
