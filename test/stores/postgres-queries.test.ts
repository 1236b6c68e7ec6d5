import { answersAsTheModel } from '../conformance/model-answers.ts'
import { keepsAsTheModel } from '../conformance/model-writes.ts'
import { sampleCollections } from '../conformance/sample-collections.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { trials } from '../support/trials.ts'
import { openPostgres } from '../support/postgres/open-store.ts'

const asked = { worlds: trials(8), questionsEach: 1200, walksEach: 30, wordsEach: 60, atOnce: 10 }

const skip = await noPostgres()

answersAsTheModel('PostgreSQL', () => openPostgres(sampleCollections), asked, skip)

keepsAsTheModel('PostgreSQL', {
  runs: trials(20),
  open: () => openPostgres(sampleCollections),
  skip,
  sideBySide: true,
})
