import { Problem } from '../failures.js';
import type { Profiles } from './profiles.js';

/**
 * Profiles as they are stored. People mend the file by hand, so what stands in it is looked at.
 * @param path of the file, for messages
 * @throws Problem for anything but profiles
 */
export const profilesIn = (text: string, path: string): Profiles => {
  const stored = parsed(text, path);
  const { current = 'default', profiles = {} } = isObject(stored) ? stored : { profiles: stored };
  const wrong = typeof current === 'string' ? fault(profiles) : 'current is no text';
  if (wrong !== null) throw new Problem('failure', `${path} holds no profiles: ${wrong}`, 'mend or remove it');
  return { current, profiles } as Profiles;
};

const parsed = (text: string, path: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Problem('failure', `${path} is not JSON`, 'mend or remove it', { cause });
  }
};

const fault = (profiles: unknown): string | null => {
  if (!isObject(profiles)) return 'no names with settings';
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isObject(profile)) return `${name} has no settings`;
    const wrong = Object.entries(profile)
      .find(([key, value]) => typeof value !== (key === 'keyring' ? 'boolean' : 'string'));
    if (wrong) return `${wrong[0]} of ${name} is no ${wrong[0] === 'keyring' ? 'true' : 'text'}`;
  }
  return null;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
