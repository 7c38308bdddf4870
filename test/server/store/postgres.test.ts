import { openDatabase } from '../../../src/server/store/open.js';
import { newStore } from '../../support/stores.js';
import { storeSuite } from './suite.js';

storeSuite('PostgreSQL', async () => openDatabase({ file: await newStore() }));
