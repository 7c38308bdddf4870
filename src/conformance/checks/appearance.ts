import { guidelinesLimit, webAppLimits } from '../../contract/conventions.js';
import { requireOrdinaryUser } from '../caller.js';
import {
  type Check, type Checks, firstWith, type Got, hasError, hasKeys, hasStatus, holds, objectHas, objectIn, observing,
  onResponse, type Probe, put, reading, type Rejection, same, Skipped, type Values,
} from '../check.js';
import { factKeys, type KeyFactId } from '../keys.js';

const path = '/application/appearance';

/** Files, which a value of JSON cannot restore. */
const images: ReadonlySet<string> = new Set(['logo', 'header_logo', 'favicon', 'pwa_icon']);

const valuesIn = (json: unknown): Values | null => typeof json === 'object' && json !== null ? json as Values : null;

/** Restores the fields that the check has changed when it ends: the service accepted a wrong value. */
const writingAppearance = (run: Check['run']): Check => ({
  effect: 'appearance',
  run: async (probe) => {
    let before: Values | null = null;
    const changed = new Map<string, unknown>();
    const call = observing(probe.call, (got, method, target, sent) => {
      if (target !== path || got.status >= 300) return;
      if (method === 'GET') before ??= valuesIn(got.json);
      for (const [field, value] of method === 'PUT' ? Object.entries(valuesIn(sent?.json) ?? {}) : []) {
        if (before && value !== before[field] && !images.has(field)) changed.set(field, before[field]);
      }
    });
    try {
      await run({ ...probe, call });
    } finally {
      if (changed.size > 0) await probe.call('PUT', path, { json: Object.fromEntries(changed), isCleanUp: true });
    }
  },
});

const appearanceOf = async (probe: Probe): Promise<Got> => {
  const got = withAppearance(await probe.call('GET', path));
  if (got.status === 403) throw new Skipped('the token is not that of an administrator');
  return hasStatus(got, 200);
};

const withAppearance = (got: Got): Got => {
  if (got.status === 404) throw new Skipped('there is no appearance here');
  return got;
};

const onAppearance = (look: (got: Got) => void): Check => reading(async (probe) => look(await appearanceOf(probe)));

const shows = (fact: KeyFactId): Check => onAppearance((got) => hasKeys(got, objectIn(got), factKeys[fact]));

const onChange = (change: (before: Values) => Values, look: (got: Got, before: Values) => void): Check =>
  writingAppearance(async (probe) => {
    const before = objectIn(await appearanceOf(probe));
    look(await probe.call('PUT', path, { json: change(before) }), before);
  });

const isAsBefore = (got: Got, before: Values): void =>
  same(hasStatus(got, 200), 'the appearance', objectIn(got), before);

/** A check of a value that the service must reject with messages by field. */
const invalidField = (json: Values, message: unknown): Check => onChange(() => json, (got) =>
  same(hasStatus(got, 400), 'the message', objectIn(got)['message'], message));

const rejectedChange = (json: Values, ...error: Rejection): Check =>
  onChange(() => json, (got) => hasError(got, ...error));

const tooLong = (limit: number): string[] => [`is too long (maximum is ${limit} characters)`];

const texts = [
  'title', 'description', 'new_project_guidelines', 'header_message', 'footer_message',
] as const;

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((text) => typeof text === 'string');

const imagePath = /^(https?:\/\/.*)?\/uploads\/-\/system\/appearance\//;

const imagesIn = (got: Got): readonly unknown[] => {
  const { logo, header_logo, favicon } = objectIn(got);
  return [logo, header_logo, favicon];
};

export const appearanceChecks: Checks = {
  'appearance.keys': shows('appearance.keys'),
  'appearance.web-app': shows('appearance.web-app'),
  'appearance.member-guidelines': shows('appearance.member-guidelines'),
  'appearance.profile-guidelines': shows('appearance.profile-guidelines'),
  'appearance.since': onResponse('GET', path, {}, (got) => hasStatus(got, 200, 403)),
  'appearance.administrators': reading(async (probe) => {
    await requireOrdinaryUser(probe);
    hasError(withAppearance(await probe.call('GET', path)), 403, 'message', '403 Forbidden');
  }),
  'appearance.unset-image': onAppearance((got) => {
    for (const image of imagesIn(got)) holds(got, 'null, or the path of an image', image !== '', image);
  }),
  'appearance.image-path': onAppearance((got) => {
    const image = firstWith(imagesIn(got), 'image', (one) => one !== null);
    holds(got, 'the path of an image', imagePath.test(String(image)), image);
  }),
  'appearance.colors': writingAppearance(async (probe) => {
    const before = objectIn(await appearanceOf(probe));
    for (const name of ['message_background_color', 'message_font_color']) {
      objectHas(await put(probe, path, { [name]: before[name] }), { [name]: before[name] });
      const wrong = hasStatus(await probe.call('PUT', path, { json: { [name]: '#12345' } }), 400);
      same(wrong, 'the fields', Object.keys(objectIn(wrong)['message'] as object), [name]);
    }
  }),
  'appearance.guidelines': invalidField({ profile_image_guidelines: 'a'.repeat(guidelinesLimit + 1) },
    { profile_image_guidelines: tooLong(guidelinesLimit) }),
  'appearance.web-app-length': writingAppearance(async (probe) => {
    await appearanceOf(probe);
    const { name, description } = webAppLimits;
    const limits = { pwa_name: name, pwa_short_name: name, pwa_description: description };
    for (const [field, limit] of Object.entries(limits)) {
      const got = hasStatus(await probe.call('PUT', path, { json: { [field]: 'a'.repeat(limit + 1) } }), 400);
      same(got, 'the message', objectIn(got)['message'], { [field]: tooLong(limit) });
    }
  }),
  'appearance.null': onChange(() => ({ footer_message: null, email_header_and_footer_enabled: null }), isAsBefore),
  'appearance.omitted': onChange(({ title }) => ({ title }), isAsBefore),
  'appearance.response': onChange(({ title }) => ({ title }), (got) =>
    hasKeys(hasStatus(got, 200), objectIn(got), factKeys['appearance.keys'])),
  'appearance.nothing': onChange(() => ({}), isAsBefore),
  'appearance.all-or-none': writingAppearance(async (probe) => {
    const before = await appearanceOf(probe);
    const json = { title: 'not stored', message_background_color: 'red', message_font_color: 'red' };
    const got = hasStatus(await probe.call('PUT', path, { json }), 400);
    const rejected = ['message_background_color', 'message_font_color'];
    same(got, 'the fields', Object.keys(objectIn(got)['message'] as object).sort(), rejected);
    same(await appearanceOf(probe), 'the appearance', (await appearanceOf(probe)).json, before.json);
  }),
  'errors.field-texts': onChange(() => ({ message_font_color: 'red' }), (got) => {
    const texts = Object.values(objectIn(hasStatus(got, 400))['message'] as Values);
    holds(got, 'lists of messages by field', texts.length === 1 && texts.every(isTexts), objectIn(got)['message']);
  }),
  'appearance.clear-text': writingAppearance(async (probe) => {
    const before = objectIn(await appearanceOf(probe));
    const field = firstWith(texts, 'empty text of the appearance', (name) => before[name] === '');
    objectHas(await put(probe, path, { [field]: '' }), { [field]: '' });
  }),
  'errors.appearance-order': writingAppearance(async (probe) => {
    await requireOrdinaryUser(probe);
    const json = { email_header_and_footer_enabled: 'maybe' };
    hasError(withAppearance(await probe.call('PUT', path, { json })), 403, 'message', '403 Forbidden');
  }),
  'appearance.wrong-color': invalidField({ message_font_color: 'red' },
    { message_font_color: ['must be a valid color code'] }),
  'appearance.wrong-switch': rejectedChange({ email_header_and_footer_enabled: 'maybe' },
    400, 'error', 'email_header_and_footer_enabled is invalid'),
  'parameters.file-text': rejectedChange({ logo: 'logo.png' }, 400, 'error', 'logo is invalid'),
};
