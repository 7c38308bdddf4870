import type { Contract } from '../contract/operations.js';
import type { MethodsOf } from './method-of.js';
import type { Requests } from './requests.js';

/** The build derives the declaration of the package. */
export type Client = MethodsOf<Contract> & Requests;
