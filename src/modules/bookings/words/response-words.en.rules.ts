/** words/ holds what is said of a place and of an answer in each language. This is the answer to a question with a box to tick, in English. */
export const RESPONSE_EN = { yes: 'Yes', no: 'No' };
