import type { Appearance } from '../../../contract/appearance.js';
import { isUpload } from '../../../contract/endpoint.js';
import { shortText } from '../../appearance/differences.js';
import { plainLine } from '../../../text/plain.js';

/** A change in one line: `title: "Old" → "New"`; only the new value if the appearance before is unknown. */
export const changeLine = (before: Appearance | null, field: string, value: unknown): string =>
  `${field}: ${before === null ? '' : `${valueText(valueIn(before, field))} → `}${valueText(value)}`;

const valueIn = (appearance: Appearance, field: string): unknown =>
  (appearance as unknown as Readonly<Record<string, unknown>>)[field];

const valueText = (value: unknown): string => {
  if (isUpload(value)) return plainLine(value.filename);
  if (value === null || value === undefined || value === '') return '(empty)';
  return typeof value === 'string' ? shortText(value) : String(value);
};
