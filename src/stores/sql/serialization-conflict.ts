/**
 * Another transaction changed rows that this one has read. This one is undone; a retry reads the present
 * rows.
 */
export class SerializationConflict extends Error {
  override readonly name = 'Overtaken'

  constructor() {
    super('another transaction was faster')
  }
}
