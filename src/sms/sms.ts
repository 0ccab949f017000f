/** sms/ sends one text message through a provider, or keeps it in a folder while none is configured. */

export interface Sms {
  /** In E.164, such as `+4930123456`. */
  readonly to: string;
  readonly text: string;
  /** The same each time that the same message is sent, so that a provider who gets it twice can tell. */
  readonly messageId: string;
}

/** The service that sends messages for us. Only the service knows what becomes of one after it was taken. */
export interface SmsProvider {
  /** Resolves when the message was taken, with what the log is to say of it. @throws SmsRefused, Error where trying again may help */
  hand(sms: Sms): Promise<object>;
}

/** The provider will never take this message. */
export class SmsRefused extends Error {
  override readonly name = 'SmsRefused';
}

declare const COUNTED: unique symbol;

/** Shows that a message was counted towards the limits. Only `SmsLimit` makes one, so nothing is sent past them. */
export interface SmsAdmission {
  readonly [COUNTED]: true;
  readonly limit?: undefined;
}
