import type { Queries, Row } from '../store/database.js';
import type { WorldAppearance, WorldImage } from './shape.js';

interface SettingRow extends Row { readonly name: string; readonly value: string }
interface UploadRow extends Row {
  readonly mount: string;
  readonly file_name: string;
  readonly media_type: string;
  readonly content: Uint8Array;
}

/** The appearance as stored, images as values. */
export const dumpAppearance = async (queries: Queries): Promise<WorldAppearance> => {
  const rows = await queries.all<SettingRow>('SELECT name, value FROM appearance ORDER BY name');
  const uploads = await queries.all<UploadRow>('SELECT * FROM uploads ORDER BY mount');
  const images = new Map(uploads.map((upload) => [upload.mount, imageFrom(upload)]));
  return Object.fromEntries(rows.map(({ name, value }) => [name, images.get(name) ?? valueOf(name, value)]));
};

const valueOf = (name: string, value: string): string | boolean =>
  name === 'email_header_and_footer_enabled' ? value === '1' : value;

const imageFrom = ({ file_name, media_type, content }: UploadRow): WorldImage =>
  ({ file_name, media_type, content: Buffer.from(content).toString('base64') });
