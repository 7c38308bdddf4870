import { InvalidArgumentError } from 'commander';
import { usage } from '../errors/failure.js';

/** Reads a flag that counts things: a whole number from 1. */
export const count = (flag: string) => (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError(`${flag} takes a whole number from 1`);
  return Number(text);
};

/** Seconds, with a fraction if need be, as milliseconds; 0 is allowed where zero has a meaning. @throws Problem */
export const milliseconds = (text: string, flag: string): number => {
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(text) || Number(text) === 0) {
    throw usage(`${flag} takes seconds, not ${JSON.stringify(text)}`);
  }
  return Math.round(Number(text) * 1000);
};

/** A whole number from 0. @throws Problem */
export const wholeNumber = (text: string, flag: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw usage(`${flag} takes a whole number, not ${JSON.stringify(text)}`);
  return Number(text);
};

/** A rate by the minute, as `600` or `600/min`. */
export const perMinute = (text: string): number => count('--rate-limit')(text.replace(/\/min(ute)?$/, ''));
