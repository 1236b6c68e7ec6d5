/**
 * Another transaction changed what this one had read and builds upon. Nothing of this one is kept;
 * run again, it reads what is there now.
 */
export class SerializationConflict extends Error {
  override readonly name = 'Overtaken'

  constructor() {
    super('another transaction was faster')
  }
}
