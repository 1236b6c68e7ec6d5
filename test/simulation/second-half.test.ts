import { describe } from 'node:test'
import { playSeeds } from './seeds.ts'

describe('The whole way of a message, whatever goes wrong on it', () => {
  playSeeds(2501, 5001)
})
