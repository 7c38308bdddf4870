import { createHash } from 'node:crypto';
import { images } from './images.js';

export const { png } = images;

/** Another image: the same pixel, and a comment that tells it from others. */
export const otherPng = (comment: string): Buffer => Buffer.concat([png, Buffer.from(comment)]);

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
