/** A meeting that is to be, as all providers know it. */
export interface PlannedMeeting {
  /** The meeting is found again by this mark: the same for a booking, however often it is tried. */
  readonly mark: string;
  readonly title: string;
  readonly description: string | null;
  /** In epoch milliseconds. */
  readonly start: number;
  readonly end: number;
}

/** A meeting that the provider has made. */
export interface MadeMeeting {
  /** The provider's. */
  readonly id: string;
  /** Where people join it. */
  readonly url: string;
}

/** One kind of account, by its API. Every method rejects with a MeetingFailure. */
export interface MeetingProvider {
  /** Whether the account lets us in. */
  check(accessToken: string): Promise<void>;
  /** Makes another one each time that it is called. */
  create(accessToken: string, meeting: PlannedMeeting, signal?: AbortSignal): Promise<MadeMeeting>;
  /** One that was made by a call whose answer was lost; undefined: there is none. */
  find(accessToken: string, mark: string, signal?: AbortSignal): Promise<MadeMeeting | undefined>;
  /** @returns whether it is still there */
  update(accessToken: string, id: string, meeting: PlannedMeeting): Promise<boolean>;
  /** Takes it out. It may be gone already. */
  remove(accessToken: string, id: string): Promise<void>;
}

/** REFUSED: the account lets us in no more. UNAVAILABLE: the provider does not answer, or not as it should. */
type MeetingFailureKind = 'REFUSED' | 'UNAVAILABLE';

/** Why an account could not be used, in words for its owner. */
export class MeetingFailure extends Error {
  override readonly name = 'MeetingFailure';
  readonly kind: MeetingFailureKind;
  /** Whether what was asked was certainly not done. */
  readonly isUndone: boolean;
  /** How long the provider asks to be left alone: its header Retry-After. */
  readonly retryAfter: string | null;

  constructor(
    kind: MeetingFailureKind,
    message: string,
    { isUndone = kind === 'REFUSED', retryAfter = null }: { isUndone?: boolean; retryAfter?: string | null } = {},
  ) {
    super(message);
    this.kind = kind;
    this.isUndone = isUndone;
    this.retryAfter = retryAfter;
  }
}
