import { answersAsTheModel } from '../conformance/model-answers.ts'
import { keepsAsTheModel } from '../conformance/model-writes.ts'
import { sampleCollections } from '../conformance/sample-collections.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'

/** Each question goes over a connection: fewer of them take as long. */
const trials = { worlds: 4, questionsEach: 200, walksEach: 15, wordsEach: 30 }

const skip = await noPostgres()

answersAsTheModel(
  'PostgreSQL',
  ({ effort }) => openPostgres(sampleCollections, () => {}, { effort }),
  trials,
  skip,
)

keepsAsTheModel('PostgreSQL', {
  runs: 20,
  open: () => openPostgres(sampleCollections),
  skip,
  sideBySide: true,
})
