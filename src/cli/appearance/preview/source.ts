import { imageFields, type ImageField } from '../../../contract/appearance.js';
import { isUpload } from '../../../wire/http.js';
import type { App } from '../../app.js';
import { checkChanges } from '../checks.js';
import { differencesOf, isImageField, onlyChanged } from '../values.js';
import {
  type ImagePlaces, readAppearanceDocument, type ReadDocument, type WantedAppearance, wantedFrom,
  withImageFiles,
} from '../document.js';
import { openAppearance, readLiveAppearance, type LiveAppearance } from '../live.js';
import { once } from '../../service/connection/batch.js';
import { failureOf, messageAlone } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import type { PreviewSource } from './site.js';
import type { PreviewImage, PreviewState } from '../../../page/appearance.js';
import type { Preview, PreviewCheck, PreviewProblem } from './page.js';

/**
 * @param path undefined for the live appearance only
 * @throws Problem or an error of the client if one of them cannot be read now; later the last good state stays
 */
export const openPreview = async (
  app: App, flags: GlobalFlags & ImagePlaces, path: string | undefined,
): Promise<PreviewSource> => {
  const read = (from: string) => readAppearanceDocument(app, from);
  const readInput = once(() => read('-'));
  const document = async () => path === undefined ? null
    : withImageFiles(app, await (path === '-' ? readInput() : read(path)), flags);
  const first = await document();
  const service = await openAppearance(app, flags);
  const name = service.url ?? 'demo service';
  const previewProblem = (error: unknown): PreviewProblem => {
    const failure = failureOf(error, app.activity.sources);
    if (failure === null) throw error;
    return { message: messageAlone(failure), hint: failure.hint };
  };
  let live = await readLiveAppearance(service);
  let liveProblem: PreviewProblem | null = null;
  let last = await previewOf(name, live, first);
  return {
    current: async () => {
      try {
        last = await previewOf(name, live, await document());
        return { ...last, problem: liveProblem };
      } catch (error) {
        return { ...last, problem: previewProblem(error) };
      }
    },
    refresh: async () => {
      try {
        live = await readLiveAppearance(service);
        liveProblem = null;
      } catch (error) {
        liveProblem = previewProblem(error);
      }
    },
  };
};

const previewOf = async (
  service: string, live: LiveAppearance, document: ReadDocument | null,
): Promise<Preview> => {
  const before = previewState(live);
  if (document === null) return { service, before, document: null, differences: [], checks: [], problem: null };
  const wanted = wantedFrom(document, live);
  const differences = await differencesOf(live, wanted.values);
  const changes = onlyChanged(wanted.values, differences.map(({ field }) => field));
  return {
    service, before, problem: null, differences,
    document: { name: document.path, after: stateAfter(before, wanted) },
    checks: [
      ...[...await checkChanges(changes, live.fields), ...wanted.warnings]
        .map(({ level, message, hint }) => ({ level, message: `${message}; ${hint}` })),
      ...unsupported(wanted),
    ],
  };
};

const previewState = ({ fields, images }: LiveAppearance): PreviewState => ({
  fields: textsIn(fields),
  images: imagesFrom((field) => {
    const image = images[field];
    return image ? { filename: image.filename, bytes: image.bytes, type: image.content_type } : null;
  }),
});

/** Images that it removes stay, as the service keeps them. */
const stateAfter = ({ fields, images }: PreviewState, { values }: WantedAppearance): PreviewState => ({
  fields: { ...fields, ...textsIn(values) },
  images: imagesFrom((field) => {
    const upload = values[field];
    if (!isUpload(upload)) return images[field] ?? null;
    return { filename: upload.filename, bytes: upload.bytes, type: upload.content_type ?? null };
  }),
});

const textsIn = (values: object): PreviewState['fields'] =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !isImageField(name)));

const imagesFrom = (imageOf: (field: ImageField) => PreviewImage | null): PreviewState['images'] =>
  Object.fromEntries(imageFields.map((field) => [field, imageOf(field)]));

const unsupported = ({ removals }: WantedAppearance): PreviewCheck[] => removals.map(({ field, at }) =>
  ({ level: 'warning', message: `${at}: ${field} stays as it is: the API cannot remove images` }));
