import { KindGuard, type TObject, type TSchema, type TString } from '@sinclair/typebox';
import type { Upload } from './endpoint.js';

/** By field name; the example of any other text field is its name. */
const examples: Readonly<Record<string, string>> = {
  id: '6a9c1750b37d513a43987b574953fceb50b03ce7',
  discussion_id: '6a9c1750b37d513a43987b574953fceb50b03ce7',
  base_sha: '1162f719d711319a2efb2a35566f3bfdadee8bab',
  start_sha: 'b18bb8ecc1e9a3c7dfd2e2bca0ee61d4ae6d6c48',
  head_sha: '93a6a1ef7c6e6ab81cf2d1a2bc1b4f2d3d4f1c0e',
  sha: '93a6a1ef7c6e6ab81cf2d1a2bc1b4f2d3d4f1c0e',
  commit_id: '93a6a1ef7c6e6ab81cf2d1a2bc1b4f2d3d4f1c0e',
  state: 'active',
  username: 'root',
  name: 'Administrator',
  body: 'Looks good to me.',
  title: 'Title',
  description: 'Some *Markdown*.',
  old_path: 'src/main.ts',
  new_path: 'src/main.ts',
  line_code: 'adc83b19e793491b1c6ea0fd8b46cd9f32e592fc_3_3',
  created_at: '2024-05-01T09:00:00.000Z',
  message_background_color: '#E75E40',
  message_font_color: '#FFFFFF',
};

const formats: Readonly<Record<string, string>> = {
  'date-time': '2024-05-01T09:00:00.000Z', date: '2024-05-01', uri: 'https://gitlab.example.com/root',
};

const image: Upload = {
  filename: 'logo.png', content_type: 'image/png', bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
};

/** Always the same: in the document dialect, with all fields. @param name of the field, for example texts */
export const exampleOf = (shape: TSchema, name = 'text'): unknown => {
  if (KindGuard.IsUnion(shape)) return exampleOf(shape.anyOf[0]!, name);
  if (KindGuard.IsLiteral(shape)) return shape.const;
  if (KindGuard.IsObject(shape)) return objectOf(shape);
  if (KindGuard.IsArray(shape)) return [exampleOf(shape.items, name)];
  if (KindGuard.IsInteger(shape)) return 1;
  if (KindGuard.IsBoolean(shape)) return true;
  if (KindGuard.IsString(shape)) return textOf(shape, name);
  if (KindGuard.IsRecord(shape)) return {};
  return shape['format'] === 'binary' ? image : null;
};

const textOf = (shape: TString, name: string): unknown =>
  shape['examples']?.[0] ?? formats[shape.format ?? ''] ?? examples[name] ?? name.replaceAll('_', ' ');

const objectOf = (shape: TObject): unknown => Object.fromEntries(Object.entries(shape.properties)
  .filter(([, field]) => field['x-dialect'] === undefined)
  .map(([name, field]) => [name, exampleOf(field, name)]));
