import type { Appearance } from '../../../contract/appearance.js';
import { isUpload } from '../../../contract/endpoint.js';
import { shown, type Value } from '../../appearance/values.js';
import { plainLine } from '../../../text/plain.js';

/** A change in one line: `title: "Old" → "New"`; only the new value if the appearance before is unknown. */
export const changeLine = (before: Appearance | null, field: string, value: unknown): string =>
  `${field}: ${before === null ? '' : `${valueText(valueIn(before, field))} → `}${valueText(value)}`;

const valueIn = (appearance: Appearance, field: string): unknown =>
  (appearance as unknown as Readonly<Record<string, unknown>>)[field];

const valueText = (value: unknown): string =>
  isUpload(value) ? plainLine(value.filename) : shown((value ?? null) as Value);
