/** What an answer means for the user. */
export type Refusal = {
  message: string;
  /** It would happen to the other files too. */
  concernsAll: boolean;
  /** The service did not process the file, so retrying may help. */
  isPassing: boolean;
};

type Answer = { status: number; message: string; retryAfterMs: number | null };

export const unreachable: Refusal = {
  message: 'The connection was lost while the file was being sent.',
  concernsAll: true,
  isPassing: false,
};

export const unreadable: Refusal = {
  message: 'The file has been changed or moved since it was chosen. Choose it again.',
  concernsAll: false,
  isPassing: false,
};

export const tooLarge = 'The file is larger than 500 MB. Split the recording, or save it as MP3.';

/** In plain words, or the service's own if they say more. */
export function explainRefusal({ status, message, retryAfterMs }: Answer): Refusal {
  switch (status) {
    case 401:
      return all('You were signed out. Sign in, then try again.');
    case 402:
      return all("This month's budget is used up. An owner can raise it under Billing.");
    case 403:
      return all('Your role may not upload to this project.');
    case 404:
      return all('The project does not exist any more, or you may not use it.');
    case 409:
      return { message, concernsAll: false, isPassing: retryAfterMs !== null };
    case 413:
      return one(tooLarge);
    case 415:
      return one('Earshot cannot read this file. WAV, MP3, OGG, FLAC and M4A work.');
    case 429:
      return { message: 'Too many requests at the moment.', concernsAll: true, isPassing: true };
    case 503:
      return { message, concernsAll: true, isPassing: true };
    default:
      return status >= 500 ? all('The service failed. Try again in a moment.') : one(message);
  }
}

function one(message: string): Refusal {
  return { message, concernsAll: false, isPassing: false };
}

function all(message: string): Refusal {
  return { message, concernsAll: true, isPassing: false };
}
