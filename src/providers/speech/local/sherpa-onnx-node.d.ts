/** The part of `sherpa-onnx-node` that we use; it brings no types. Settings are those of its C API in camel case. */
declare module 'sherpa-onnx-node' {
  type Waveform = { samples: Float32Array; sampleRate: number };

  class OfflineStream {
    acceptWaveform(waveform: Waveform): void;
  }

  class OfflineRecognizer {
    static createAsync(config: Record<string, unknown>): Promise<OfflineRecognizer>;
    createStream(): OfflineStream;
    /** Resolves to what the engine wrote as JSON. */
    decodeAsync(stream: OfflineStream): Promise<unknown>;
    setConfig(config: Record<string, unknown>): void;
  }

  class Vad {
    constructor(config: Record<string, unknown>, bufferSeconds: number);
    acceptWaveform(samples: Float32Array): void;
    isEmpty(): boolean;
    pop(): void;
    front(enableExternalBuffer: boolean): { start: number; samples: Float32Array };
    flush(): void;
    reset(): void;
  }

  class OfflineSpeakerDiarization {
    constructor(config: Record<string, unknown>);
    /** Seconds; speakers count from 0. */
    process(samples: Float32Array): { start: number; end: number; speaker: number }[];
  }

  type Sherpa = {
    OfflineRecognizer: typeof OfflineRecognizer;
    Vad: typeof Vad;
    OfflineSpeakerDiarization: typeof OfflineSpeakerDiarization;
  };
  const sherpa: Sherpa;
  export type { OfflineRecognizer, OfflineSpeakerDiarization, Sherpa, Vad };
  export default sherpa;
}
