import { existsSync } from 'node:fs';
import { RunHistory } from '../../../main/history/run-history.ts';
import { requestOf, wholeRun } from './events.ts';

/** Keeps one run in the folder that is named, as soon as a file appears: one of several that begin at once. */
const [folder = '', go = '', id = ''] = process.argv.slice(2);
while (!existsSync(go));
const history = new RunHistory({ folder });
const recorder = history.recorder(requestOf({ run: id }), 'lab');
for (const event of wholeRun()) recorder.take(event);
recorder.end('over');
process.stdout.write(history.problem ?? 'kept');
history.close();
