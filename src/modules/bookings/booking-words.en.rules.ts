/** Where a booking takes place, in English. */
export const BOOKING_LOCATION_EN = {
  linkFollows: (app: string) => `${app} (link to follow)`,
};

/** words/ holds what is said of a place and of an answer in each language. This is the answer to a question with a box to tick, in English. */
export const RESPONSE_EN = { yes: 'Yes', no: 'No' };

/** The notes in the place of texts that are not mailed: the page of the booking shows them. In English. */
export const SAID_EN = {
  notInMails: '(left out of this e-mail, because its author hasn’t confirmed their e-mail address)',
  noLinksInMails:
    '(left out of this e-mail, because it has a link or an address in it, and its author hasn’t confirmed their e-mail address)',
  neutral: { OWNER: 'Meeting', HOST: 'a host', ATTENDEE: 'an attendee' },
};
