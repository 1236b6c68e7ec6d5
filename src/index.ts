export {
  collection,
  type Collection,
  type Declaration,
  type InstanceOf,
} from './core/declaration/collection.ts'
export {
  array,
  boolean,
  choice,
  integer,
  map,
  number,
  object,
  reference,
  text,
  timestampField as timestamp,
  type Field,
  type Fields,
} from './core/declaration/field.ts'
export { defineConfig, type ConfigInput } from './config/define-config.ts'
