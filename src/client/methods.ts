import type { Contract } from '../contract/operations.js';
import type { MethodsOf, Requests } from './method-of.js';

/** The build derives the declaration of the package. */
export type Client = MethodsOf<Contract> & Requests;
