/** The JSON Schema of world files, as docs/world.schema.json has it. */
export const worldSchemaText = async (): Promise<string> => {
  const { default: schema } = await import('../../../docs/world.schema.json', { with: { type: 'json' } });
  return `${JSON.stringify(schema, null, 2)}\n`;
};
