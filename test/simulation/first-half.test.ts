import { describe } from 'node:test'
import { playSeeds } from './seeds.ts'

describe('The whole way of a message, whatever goes wrong on it', () => {
  playSeeds(1, 2501)
})
