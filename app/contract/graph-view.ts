import { z } from 'zod';
import { networkSchema } from './experiment.ts';
import { GRAPH_OPTIONS } from './option-schemas.ts';

const { batch: _batch, profile: _profile, ...DRAWN } = GRAPH_OPTIONS;

/** The network whose computation graph is asked for. Bytes are per sample, so the batch changes nothing. */
export const graphRequestSchema = networkSchema.extend(DRAWN);

const operationSchema = z.object({ id: z.string(), kind: z.string() });

/** A tensor of the papers' computation graph. */
export const graphVertexSchema = z.object({
  /** Id of the operation whose output is stored: the last of those that share the tensor. */
  id: z.string(),
  /** The id without its block. */
  label: z.string(),
  /** The part of the network it belongs to, from the id: `layer1.0`; empty at the top level. */
  block: z.string(),
  /** Operations that share the tensor, in order. */
  operations: z.array(operationSchema),
  /** Height, width and so on without the batch; empty where only the bytes are known. */
  shape: z.array(z.number()),
  bytesPerSample: z.number(),
  flopsPerSample: z.number(),
});

export const graphEdgeSchema = z.object({
  from: z.number().int(),
  to: z.number().int(),
  /** Operations that lie on the edge and whose outputs are not stored by themselves, in order. */
  operations: z.array(operationSchema),
});

/** The division tree as flat arrays by node, in the order of `DivisionTree` (engine/paper). */
export const divisionTreeSchema = z.object({
  /** 0 leaf, 1 linear, 2 branch, 3 complicate. */
  kind: z.array(z.number().int()),
  source: z.array(z.number().int()),
  target: z.array(z.number().int()),
  /** Bytes per sample, as DivisionTree has them. */
  cost: z.array(z.number()),
  largestSegment: z.array(z.number()),
  firstChild: z.array(z.number().int()),
  childCount: z.array(z.number().int()),
  parent: z.array(z.number().int()),
  edge: z.array(z.number().int()),
  /** By vertex. */
  owner: z.array(z.number().int()),
});

/** The bags with their vertices, and by bag its parent, which comes later; -1 for the root. */
const decompositionSchema = z.object({
  width: z.number().int(),
  bags: z.array(z.array(z.number().int())),
  parent: z.array(z.number().int()),
});

export const graphViewSchema = z.object({
  model: z.string(),
  vertices: z.array(graphVertexSchema),
  edges: z.array(graphEdgeSchema),
  tree: divisionTreeSchema,
  /** A tree decomposition by min-fill: an upper bound of the treewidth. */
  decomposition: decompositionSchema,
});

export type GraphRequest = z.infer<typeof graphRequestSchema>;
export type GraphEdge = z.infer<typeof graphEdgeSchema>;
export type DivisionTreeArrays = z.infer<typeof divisionTreeSchema>;
export type GraphView = z.infer<typeof graphViewSchema>;
