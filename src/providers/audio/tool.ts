import {
  ChildLostError,
  type ChildRequest,
  type ChildResult,
  ChildTimeoutError,
  ProgramMissingError,
  runChild,
} from '../../lib/child.ts';
import { AudioError } from './errors.ts';

type ToolRequest = Omit<ChildRequest, 'command'> & {
  tool: 'ffmpeg' | 'ffprobe';
  /** For messages, as in "Decoding the recording". */
  purpose: string;
};

/** ffmpeg's exit code after SIGTERM or SIGINT: it then closes its output as if it were complete. */
const stoppedCode = 255;

/** Runs an ffmpeg tool. Throws `AudioError`, the signal's reason or what the request's functions threw. */
export async function runTool({ tool, purpose, ...request }: ToolRequest): Promise<ChildResult> {
  try {
    const result = await runChild({ ...request, command: tool });
    if (result.code !== stoppedCode) return result;
    throw new ChildLostError(tool, { lostTo: 'a request to stop', stderr: result.stderr });
  } catch (error) {
    throw toAudioError(error, purpose);
  }
}

function toAudioError(error: unknown, purpose: string): unknown {
  if (error instanceof ProgramMissingError) {
    const message = `${error.program} is needed to read recordings: install ffmpeg (Debian: apt-get install ffmpeg).`;
    return new AudioError('FFMPEG_MISSING', message, { cause: error });
  }
  if (error instanceof ChildTimeoutError) return new AudioError('AUDIO_TIMEOUT', `${purpose} took too long.`);
  if (error instanceof ChildLostError) {
    const internal = `${error.message} ${error.stderr}`;
    return new AudioError('AUDIO_INTERRUPTED', `${purpose} was interrupted.`, { internal, cause: error });
  }
  return error;
}
