import { YamlError } from '../../src/yaml/limits.js';
import { readYaml } from '../../src/yaml/read.js';

export const errorOf = (text: string): YamlError => {
  try {
    readYaml(text);
  } catch (error) {
    if (error instanceof YamlError) return error;
    throw error;
  }
  throw new Error('no error');
};
