#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DIST, ensureBuilt } from './built.mjs';
import { ensureInstalled, npm } from './install.mjs';
import { shippedPackages } from './licenses.mjs';
import { fail, ROOT, say } from './root.mjs';

const SBOM = join(DIST, 'sbom.cdx.json');

/**
 * @typedef {{ 'bom-ref': string, name: string, version: string }} Component
 * @typedef {{ metadata: { component: Component }, components: Component[], dependencies: { ref: string, dependsOn?: string[] }[] }} Bom
 */

/**
 * npm's bill of all that is installed, less what does not ship.
 *
 * @param {Bom} bom
 * @param {readonly { name: string, version: string }[]} shipped
 * @param {string} name of the program
 * @returns {Bom}
 * @throws Error where something ships that the bill does not know
 */
export function shippedBill(bom, shipped, name) {
  const root = bom.metadata.component['bom-ref'];
  const known = new Map(bom.components.map((one) => [`${one.name}@${one.version}`, one]));
  const components = shipped.map(({ name: of, version }) => {
    const component = known.get(`${of}@${version}`);
    if (component === undefined) throw new Error(`npm sbom does not know ${of} ${version}, which ships.`);
    return component;
  });
  const refs = new Set([root, ...components.map((one) => one['bom-ref'])]);
  const dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  // npm calls it by the folder that it lies in.
  const component = { ...bom.metadata.component, type: 'application', name };
  return { ...bom, metadata: { ...bom.metadata, component }, components, dependencies };
}

/** @returns {Promise<Bom>} */
async function npmBill() {
  const { code, wrote } = await npm(['sbom', '--sbom-format', 'cyclonedx', '--loglevel=error'], 'collect');
  if (code !== 0) throw new Error(`npm sbom ended with exit code ${code}: see its message above.`);
  return JSON.parse(wrote);
}

/** `npm run sbom`: the bill of materials of what ships, as CycloneDX. `npm run dist` puts it beside the program. */
async function main() {
  await ensureInstalled();
  await ensureBuilt();
  const { name } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const bill = shippedBill(await npmBill(), shippedPackages(), name);
  writeFileSync(SBOM, `${JSON.stringify(bill, null, 2)}\n`);
  say(`${bill.components.length} packages in ${SBOM}`);
}

if (process.argv[1] === import.meta.filename) main().catch(fail);
