import { existsSync } from 'node:fs';

// Loaded before the programs that npm starts (`--import`). Variables that are already set keep their values.
if (existsSync('.env')) {
  try {
    process.loadEnvFile('.env');
  } catch (cause) {
    throw new Error(`.env cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
