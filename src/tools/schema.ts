import { z } from 'zod';
import type { Tool } from './tool';

type Schema = Readonly<Record<string, unknown>>;

/**
 * What a caller may give, as JSON Schema 2020-12. It stands in every request to a model, so what helps no model is left out: the dialect, that a number is not negative, and upper
 * bounds that nobody comes near by reason; beyond them a call is refused in words.
 */
export function inputSchemaOf(tool: Tool): Schema {
  return compact(z.toJSONSchema(tool.input, { io: 'input' }), ['maximum', 'maxItems', 'maxLength', 'propertyNames']);
}

/** What a caller gets. Programs read it, so it needs no descriptions. */
export function outputSchemaOf(tool: Tool): Schema {
  return compact(z.toJSONSchema(tool.output, { io: 'output' }), ['description', 'additionalProperties']);
}

function compact(schema: Schema, noise: readonly string[]): Schema {
  const isNoise = (key: string, value: unknown) =>
    key === '$schema' ||
    noise.includes(key) ||
    Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER ||
    (key === 'minimum' && value === 0);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isNoise(key, value))
      .map(([key, value]) => [key, key === 'properties' ? eachOf(value as Schema, noise) : compactValue(value, noise)]),
  );
}

/** The names of properties are not keywords, whatever they are. */
function eachOf(properties: Schema, noise: readonly string[]): Schema {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, compact(value as Schema, noise)]));
}

function compactValue(value: unknown, noise: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map(one => compactValue(one, noise));
  return typeof value === 'object' && value !== null ? compact(value as Schema, noise) : value;
}
