import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { torchFile } from '../../../app/bridges/torch/torch-file.ts';

/** The folder of zigzag_torch.py as users copy it. Python programs that start after this import find it. */
export const BRIDGE_FOLDER = mkdtempSync(join(tmpdir(), 'zigzag-bridge-'));
writeFileSync(join(BRIDGE_FOLDER, 'zigzag_torch.py'), torchFile());
process.env['PYTHONPATH'] = BRIDGE_FOLDER;
process.on('exit', () => rmSync(BRIDGE_FOLDER, { recursive: true, force: true }));
