// Operations of a network, and their gradients, as operations of TensorFlow: one pass over memory each, where TensorFlow
// has several small ones. Loading this into Node registers them with the TensorFlow that the process has.
#include <node_api.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "loops_table.h"
#include "tensorflow/c/kernels.h"
#include "tensorflow/c/ops.h"
#include "tensorflow/c/tf_status.h"
#include "tensorflow/c/tf_tensor.h"
#include "threads.h"

namespace zigzag {
namespace {

// The version of these operations; main/trainer/backends/tensorflow/fused.ts names the one that it speaks.
constexpr int32_t VERSION = 1;

// Nanoseconds of one element, and of one multiplication with its addition, roughly.
constexpr double CHEAP = 0.3, EXPONENTIAL = 0.6, PRODUCT = 0.01;

using Shape = std::vector<int64_t>;

int64_t sizeOf(const Shape &shape) {
  int64_t size = 1;
  for (const int64_t extent : shape) size *= extent;
  return size;
}

struct Input {
  TF_Tensor *tensor = nullptr;
  float *at = nullptr;
  Shape shape;
  int64_t size() const { return sizeOf(shape); }
  int64_t width() const { return shape.empty() ? 1 : shape.back(); }
  int64_t rows() const { return width() == 0 ? 0 : size() / width(); }
};

struct Attributes {
  float number[2] = {0, 0};
  bool flag[5] = {false, false, false, false, false};
};

// One run of an operation.
class Call {
 public:
  Call(TF_OpKernelContext *context, const Attributes &attributes)
      : attributes_(attributes), context_(context), status_(TF_NewStatus()) {
    inputs_.resize(TF_NumInputs(context));
    for (size_t i = 0; i < inputs_.size(); i++) {
      Input &input = inputs_[i];
      TF_GetInput(context, static_cast<int>(i), &input.tensor, status_);
      if (!isWell()) return;
      input.at = static_cast<float *>(TF_TensorData(input.tensor));
      input.shape.resize(TF_NumDims(input.tensor));
      for (size_t axis = 0; axis < input.shape.size(); axis++)
        input.shape[axis] = TF_Dim(input.tensor, static_cast<int>(axis));
    }
  }

  ~Call() {
    if (!isWell()) TF_OpKernelContext_Failure(context_, status_);
    for (const Input &input : inputs_)
      if (input.tensor != nullptr) TF_DeleteTensor(input.tensor);
    TF_DeleteStatus(status_);
  }

  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  bool isWell() const { return TF_GetCode(status_) == TF_OK; }
  const Input &input(int i) const { return inputs_[i]; }
  float number(int i) const { return attributes_.number[i]; }
  bool flag(int i) const { return attributes_.flag[i]; }

  // Memory of an output; null if memory is out: then the caller must end.
  float *output(int i, const Shape &shape) {
    if (!isWell()) return nullptr;
    TF_Tensor *tensor = TF_AllocateOutput(context_, i, TF_FLOAT, shape.data(), static_cast<int>(shape.size()),
                                          sizeof(float) * sizeOf(shape), status_);
    if (!isWell()) return nullptr;
    float *at = static_cast<float *>(TF_TensorData(tensor));
    // The context holds the memory.
    TF_DeleteTensor(tensor);
    return at;
  }

  // Two inputs have one size; refuses them if not.
  bool alike(int a, int b) {
    if (inputs_[a].size() == inputs_[b].size()) return true;
    return refuse("inputs " + std::to_string(a) + " and " + std::to_string(b) + " differ in size");
  }

  bool refuse(const std::string &why) {
    TF_SetStatus(status_, TF_INVALID_ARGUMENT, why.c_str());
    return false;
  }

 private:
  const Attributes &attributes_;
  TF_OpKernelContext *context_;
  TF_Status *status_;
  std::vector<Input> inputs_;
};

void gelu(Call &call) {
  const Input &x = call.input(0);
  float *y = call.output(0, x.shape);
  if (y == nullptr) return;
  parallel(x.size(), EXPONENTIAL, [&](int64_t from, int64_t to) { loops().gelu(x.at + from, y + from, to - from); });
}

void geluGradient(Call &call) {
  const Input &dy = call.input(0), &x = call.input(1);
  if (!call.alike(0, 1)) return;
  float *dx = call.output(0, x.shape);
  if (dx == nullptr) return;
  parallel(x.size(), EXPONENTIAL, [&](int64_t from, int64_t to) {
    loops().geluGradient(dy.at + from, x.at + from, dx + from, to - from);
  });
}

void reluGradient(Call &call) {
  const Input &dy = call.input(0), &y = call.input(1);
  if (!call.alike(0, 1)) return;
  float *dx = call.output(0, y.shape);
  if (dx == nullptr) return;
  parallel(y.size(), CHEAP, [&](int64_t from, int64_t to) {
    loops().reluGradient(dy.at + from, y.at + from, dx + from, to - from);
  });
}

void divide(Call &call) {
  const Input &x = call.input(0);
  float *y = call.output(0, x.shape);
  if (y == nullptr) return;
  parallel(x.size(), CHEAP, [&](int64_t from, int64_t to) {
    loops().divide(x.at + from, y + from, to - from, call.number(0));
  });
}

// The velocity changes where it lies.
void descend(Call &call) {
  const Input &parameter = call.input(0), &velocity = call.input(1), &gradient = call.input(2);
  if (!call.alike(0, 1) || !call.alike(0, 2)) return;
  float *next = call.output(0, parameter.shape);
  if (next == nullptr) return;
  parallel(parameter.size(), CHEAP, [&](int64_t from, int64_t to) {
    loops().descend(parameter.at + from, velocity.at + from, gradient.at + from, next + from, to - from,
                    call.number(0), call.number(1));
  });
}

void layerNorm(Call &call) {
  const Input &x = call.input(0), &scale = call.input(1), &shift = call.input(2);
  const int64_t width = x.width();
  if (scale.size() != width || shift.size() != width) {
    call.refuse("scale and shift have another width than what they scale");
    return;
  }
  Shape each = x.shape;
  if (!each.empty()) each.back() = 1;
  float *y = call.output(0, x.shape), *mean = call.output(1, each), *inverse = call.output(2, each);
  if (inverse == nullptr) return;
  parallel(x.rows(), width * CHEAP, [&](int64_t from, int64_t to) {
    loops().layerNorm(x.at + from * width, scale.at, shift.at, y + from * width, mean + from, inverse + from,
                      to - from, width, call.number(0));
  });
}

// Sums over rows are taken in blocks that depend on the size alone, and added up in their order.
int64_t blocksOf(int64_t rows, int64_t width) {
  return std::max<int64_t>(1, std::min<int64_t>({16, rows, rows * width / (1 << 16)}));
}

void columnSum(const Input &x, int64_t width, float *sums) {
  const int64_t rows = width == 0 ? 0 : x.size() / width, blocks = blocksOf(rows, width);
  std::vector<float> parts(blocks * width);
  parallel(blocks, CHEAP * x.size() / blocks, [&](int64_t first, int64_t last) {
    for (int64_t block = first; block < last; block++) {
      const int64_t from = rows * block / blocks, to = rows * (block + 1) / blocks;
      loops().columnSum(x.at + from * width, parts.data() + block * width, to - from, width, 1);
    }
  });
  loops().columnSum(parts.data(), sums, blocks, width, 1);
}

void layerNormGradient(Call &call) {
  const Input &x = call.input(0), &dy = call.input(1), &scale = call.input(2), &mean = call.input(3),
              &inverse = call.input(4);
  const int64_t width = x.width(), rows = x.rows();
  if (!call.alike(0, 1)) return;
  if (scale.size() != width || mean.size() != rows || inverse.size() != rows) {
    call.refuse("scale, mean or deviation have another size than what they scale");
    return;
  }
  float *dx = call.output(0, x.shape), *dScale = call.output(1, {width}), *dShift = call.output(2, {width});
  if (dShift == nullptr) return;
  const int64_t blocks = blocksOf(rows, width);
  std::vector<float> scales(blocks * width, 0.0f), shifts(blocks * width, 0.0f);
  parallel(blocks, 4 * CHEAP * x.size() / blocks, [&](int64_t first, int64_t last) {
    for (int64_t block = first; block < last; block++) {
      const int64_t from = rows * block / blocks, to = rows * (block + 1) / blocks, at = from * width;
      loops().layerNormGradient(x.at + at, dy.at + at, scale.at, mean.at + from, inverse.at + from, dx + at,
                                scales.data() + block * width, shifts.data() + block * width, to - from, width);
    }
  });
  loops().columnSum(scales.data(), dScale, blocks, width, 1);
  loops().columnSum(shifts.data(), dShift, blocks, width, 1);
}

void channelSum(Call &call) {
  const Input &x = call.input(0);
  float *sums = call.output(0, {x.width()});
  if (sums != nullptr) columnSum(x, x.width(), sums);
}

void softmax(Call &call) {
  const Input &x = call.input(0);
  const int64_t width = x.width();
  float *y = call.output(0, x.shape);
  if (y == nullptr) return;
  parallel(x.rows(), width * EXPONENTIAL, [&](int64_t from, int64_t to) {
    loops().softmax(x.at + from * width, y + from * width, to - from, width);
  });
}

void softmaxGradient(Call &call) {
  const Input &y = call.input(0), &dy = call.input(1);
  const int64_t width = y.width();
  if (!call.alike(0, 1)) return;
  float *dx = call.output(0, y.shape);
  if (dx == nullptr) return;
  parallel(y.rows(), width * CHEAP, [&](int64_t from, int64_t to) {
    loops().softmaxGradient(y.at + from * width, dy.at + from * width, dx + from * width, to - from, width);
  });
}

void hideLater(Call &call) {
  const Input &x = call.input(0);
  const int64_t width = x.width();
  float *y = call.output(0, x.shape);
  if (y == nullptr) return;
  parallel(x.rows(), width * CHEAP, [&](int64_t from, int64_t to) {
    loops().hideLater(x.at + from * width, y + from * width, from, to - from, width, call.number(0));
  });
}

void attentionShares(Call &call) {
  const Input &x = call.input(0);
  const int64_t width = x.width();
  Shape each = x.shape;
  if (!each.empty()) each.back() = 1;
  float *y = call.output(0, x.shape), *logarithms = call.output(1, each);
  if (logarithms == nullptr) return;
  std::vector<float> sums(x.rows());
  parallel(x.rows(), width * EXPONENTIAL, [&](int64_t from, int64_t to) {
    loops().attentionShares(x.at + from * width, y + from * width, logarithms + from, sums.data() + from, from,
                            to - from, width, call.flag(0), call.number(0));
    for (int64_t row = from; row < to; row++) logarithms[row] += logf(sums[row]);
  });
}

void attentionSharesAgain(Call &call) {
  const Input &x = call.input(0), &logarithms = call.input(1);
  const int64_t width = x.width();
  if (logarithms.size() != x.rows()) {
    call.refuse("there is another number of logarithms than of rows");
    return;
  }
  float *y = call.output(0, x.shape);
  if (y == nullptr) return;
  parallel(x.rows(), width * EXPONENTIAL, [&](int64_t from, int64_t to) {
    loops().attentionSharesAgain(x.at + from * width, logarithms.at + from, y + from * width, from, to - from, width,
                                 call.flag(0), call.number(0));
  });
}

void attentionScoresGradient(Call &call) {
  const Input &p = call.input(0), &dp = call.input(1), &slopes = call.input(2);
  const int64_t width = p.width();
  if (!call.alike(0, 1)) return;
  if (slopes.size() != p.rows()) {
    call.refuse("there is another number of slopes than of rows");
    return;
  }
  float *ds = call.output(0, p.shape);
  if (ds == nullptr) return;
  parallel(p.rows(), width * CHEAP, [&](int64_t from, int64_t to) {
    loops().attentionScoresGradient(p.at + from * width, dp.at + from * width, slopes.at + from, ds + from * width,
                                    to - from, width, call.number(0));
  });
}

// A product whose rows are shared among threads.
void product(const Matrix &a, const Matrix &b, const float *bias, float *c, int64_t rows, int64_t depth,
             int64_t columns) {
  parallel(rows, PRODUCT * depth * columns, [&](int64_t from, int64_t to) {
    loops().product(a.from(from), b, bias, c + from * columns, columns, to - from, depth, columns);
  });
}

// A weight [features, outputs], or [outputs, features] where it lies transposed as the table of an embedding does.
struct Weight {
  int64_t features, outputs;
  Matrix matrix, transposed;

  Weight(const Input &weight, bool isTransposed)
      : features(weight.shape[isTransposed ? 1 : 0]),
        outputs(weight.shape[isTransposed ? 0 : 1]),
        matrix(isTransposed ? Matrix{weight.at, 1, features} : Matrix{weight.at, outputs, 1}),
        transposed{weight.at, matrix.columnStride, matrix.rowStride} {}
};

// x [..., features] times a weight, + bias [outputs], or of no element if none exists. Flag 0: transposed.
void linear(Call &call) {
  const Input &x = call.input(0), &bias = call.input(2);
  if (call.input(1).shape.size() != 2) {
    call.refuse("a weight has two axes");
    return;
  }
  const Weight weight(call.input(1), call.flag(0));
  if (weight.features != x.width() || (bias.size() != 0 && bias.size() != weight.outputs)) {
    call.refuse("input, weight and bias do not fit each other");
    return;
  }
  Shape shape = x.shape;
  shape.back() = weight.outputs;
  float *y = call.output(0, shape);
  if (y == nullptr) return;
  product({x.at, weight.features, 1}, weight.matrix, bias.size() == 0 ? nullptr : bias.at, y, x.rows(),
          weight.features, weight.outputs);
}

// Gradients of the input (flag 0: wanted), the weight and the bias (flag 1: there is one). Flag 2: transposed.
void linearGradient(Call &call) {
  const Input &x = call.input(0), &dy = call.input(1);
  if (call.input(2).shape.size() != 2) {
    call.refuse("a weight has two axes");
    return;
  }
  const Weight weight(call.input(2), call.flag(2));
  const int64_t features = weight.features, outputs = weight.outputs, rows = x.rows();
  if (features != x.width() || outputs != dy.width() || rows != dy.rows()) {
    call.refuse("input, weight and gradient do not fit each other");
    return;
  }
  float *dx = call.output(0, call.flag(0) ? x.shape : Shape{0});
  float *dWeight = call.output(1, call.input(2).shape);
  float *dBias = call.output(2, Shape{call.flag(1) ? outputs : 0});
  if (!call.isWell()) return;
  if (call.flag(0)) product({dy.at, outputs, 1}, weight.transposed, nullptr, dx, rows, outputs, features);
  const Matrix left{x.at, features, 1}, right{dy.at, outputs, 1};
  if (call.flag(2)) product(right.transposed(), left, nullptr, dWeight, outputs, rows, features);
  else product(left.transposed(), right, nullptr, dWeight, features, rows, outputs);
  if (call.flag(1)) columnSum(dy, outputs, dBias);
}

// A tensor as matrices: [N, L, heads, each] is N * heads of [L, each] where it lies by head, else [N, heads, rows, columns].
struct Side {
  int64_t samples, heads, rows, columns, stride, perHead, perSample;

  Side(const Shape &shape, bool byHead)
      : samples(shape[0]),
        heads(shape[byHead ? 2 : 1]),
        rows(shape[byHead ? 1 : 2]),
        columns(shape[3]),
        stride(byHead ? heads * columns : columns),
        perHead(byHead ? columns : rows * columns),
        perSample(heads * rows * columns) {}

  int64_t at(int64_t matrix) const { return matrix / heads * perSample + matrix % heads * perHead; }
  Matrix matrix(const float *from, bool transposed) const {
    return transposed ? Matrix{from, 1, stride} : Matrix{from, stride, 1};
  }
};

// A product for every head; flags: a by head, b by head, the result by head, a transposed, b transposed.
void headProduct(Call &call) {
  const Input &a = call.input(0), &b = call.input(1);
  if (a.shape.size() != 4 || b.shape.size() != 4) {
    call.refuse("attention needs four axes");
    return;
  }
  const Side left(a.shape, call.flag(0)), right(b.shape, call.flag(1));
  const int64_t rows = call.flag(3) ? left.columns : left.rows, depth = call.flag(3) ? left.rows : left.columns;
  const int64_t columns = call.flag(4) ? right.rows : right.columns;
  if (left.samples != right.samples || left.heads != right.heads ||
      depth != (call.flag(4) ? right.columns : right.rows)) {
    call.refuse("its sides do not fit each other");
    return;
  }
  const Shape shape = call.flag(2) ? Shape{left.samples, rows, left.heads, columns}
                                   : Shape{left.samples, left.heads, rows, columns};
  float *c = call.output(0, shape);
  if (c == nullptr) return;
  const Side target(shape, call.flag(2));
  parallel(left.samples * left.heads, PRODUCT * rows * depth * columns, [&](int64_t from, int64_t to) {
    for (int64_t head = from; head < to; head++) {
      loops().product(left.matrix(a.at + left.at(head), call.flag(3)),
                      right.matrix(b.at + right.at(head), call.flag(4)), nullptr, c + target.at(head), target.stride,
                      rows, depth, columns);
    }
  });
}

struct Operation {
  const char *name;
  std::vector<const char *> inputs;
  std::vector<const char *> outputs;
  std::vector<const char *> numbers;
  std::vector<const char *> flags;
  void (*compute)(Call &);
};

const Operation OPERATIONS[] = {
    {"ZigzagGelu", {"x"}, {"y"}, {}, {}, gelu},
    {"ZigzagGeluGradient", {"dy", "x"}, {"dx"}, {}, {}, geluGradient},
    {"ZigzagReluGradient", {"dy", "y"}, {"dx"}, {}, {}, reluGradient},
    {"ZigzagDivide", {"x"}, {"y"}, {"by"}, {}, divide},
    {"ZigzagDescent", {"parameter", "velocity", "gradient"}, {"next"}, {"momentum", "learningRate"}, {}, descend},
    {"ZigzagLayerNorm", {"x", "scale", "shift"}, {"y", "mean", "inverse"}, {"epsilon"}, {}, layerNorm},
    {"ZigzagLayerNormGradient",
     {"x", "dy", "scale", "mean", "inverse"},
     {"dx", "scale_gradient", "shift_gradient"},
     {},
     {},
     layerNormGradient},
    {"ZigzagChannelSum", {"x"}, {"sums"}, {}, {}, channelSum},
    {"ZigzagSoftmax", {"x"}, {"y"}, {}, {}, softmax},
    {"ZigzagSoftmaxGradient", {"y", "dy"}, {"dx"}, {}, {}, softmaxGradient},
    {"ZigzagHideLater", {"x"}, {"y"}, {"hidden"}, {}, hideLater},
    {"ZigzagAttentionShares", {"x"}, {"shares", "logarithms"}, {"divisor"}, {"causal"}, attentionShares},
    {"ZigzagAttentionSharesAgain", {"x", "logarithms"}, {"shares"}, {"divisor"}, {"causal"}, attentionSharesAgain},
    {"ZigzagAttentionScoresGradient", {"p", "dp", "slopes"}, {"ds"}, {"divisor"}, {}, attentionScoresGradient},
    {"ZigzagLinear", {"x", "weight", "bias"}, {"y"}, {}, {"transposed"}, linear},
    {"ZigzagLinearGradient",
     {"x", "dy", "weight"},
     {"dx", "weight_gradient", "bias_gradient"},
     {},
     {"wanted", "bias", "transposed"},
     linearGradient},
    {"ZigzagHeadProduct",
     {"a", "b"},
     {"c"},
     {},
     {"headsA", "headsB", "headsOut", "transposeA", "transposeB"},
     headProduct},
};
constexpr int COUNT = sizeof OPERATIONS / sizeof *OPERATIONS;

// TensorFlow calls functions without a context, so there is one for each operation.
template <int I>
void *create(TF_OpKernelConstruction *construction) {
  const Operation &operation = OPERATIONS[I];
  auto *attributes = new Attributes;
  TF_Status *status = TF_NewStatus();
  for (size_t i = 0; i < operation.numbers.size() && TF_GetCode(status) == TF_OK; i++)
    TF_OpKernelConstruction_GetAttrFloat(construction, operation.numbers[i], &attributes->number[i], status);
  for (size_t i = 0; i < operation.flags.size() && TF_GetCode(status) == TF_OK; i++) {
    TF_Bool value = 0;
    TF_OpKernelConstruction_GetAttrBool(construction, operation.flags[i], &value, status);
    attributes->flag[i] = value != 0;
  }
  if (TF_GetCode(status) != TF_OK) TF_OpKernelConstruction_Failure(construction, status);
  TF_DeleteStatus(status);
  return attributes;
}

template <int I>
void compute(void *attributes, TF_OpKernelContext *context) {
  Call call(context, *static_cast<const Attributes *>(attributes));
  if (call.isWell()) OPERATIONS[I].compute(call);
}

void destroy(void *attributes) { delete static_cast<Attributes *>(attributes); }

void unknownShape(TF_ShapeInferenceContext *context, TF_Status *status) {
  TF_ShapeInferenceContextSetUnknownShape(context, status);
}

void define(const Operation &operation, TF_Status *status) {
  TF_OpDefinitionBuilder *builder = TF_NewOpDefinitionBuilder(operation.name);
  for (const char *name : operation.numbers)
    TF_OpDefinitionBuilderAddAttr(builder, (std::string(name) + ": float").c_str());
  for (const char *name : operation.flags)
    TF_OpDefinitionBuilderAddAttr(builder, (std::string(name) + ": bool").c_str());
  for (const char *name : operation.inputs)
    TF_OpDefinitionBuilderAddInput(builder, (std::string(name) + ": float").c_str());
  for (const char *name : operation.outputs)
    TF_OpDefinitionBuilderAddOutput(builder, (std::string(name) + ": float").c_str());
  TF_OpDefinitionBuilderSetShapeInferenceFunction(builder, unknownShape);
  TF_RegisterOpDefinition(builder, status);
}

// Empty, or why not.
template <int I = 0>
std::string registerAll() {
  if constexpr (I < COUNT) {
    TF_Status *status = TF_NewStatus();
    define(OPERATIONS[I], status);
    if (TF_GetCode(status) == TF_OK) {
      TF_KernelBuilder *builder = TF_NewKernelBuilder(OPERATIONS[I].name, "CPU", create<I>, compute<I>, destroy);
      TF_RegisterKernelBuilder(OPERATIONS[I].name, builder, status);
    }
    const std::string why = TF_GetCode(status) == TF_OK ? "" : TF_Message(status);
    TF_DeleteStatus(status);
    return why.empty() ? registerAll<I + 1>() : why;
  }
  return "";
}

napi_value start(napi_env env, napi_value exports) {
  // Once in a process, however many of its threads load this.
  static const std::string obstacle = registerAll();
  if (!obstacle.empty()) {
    napi_throw_error(env, nullptr, obstacle.c_str());
    return nullptr;
  }
  napi_value version;
  if (napi_create_int32(env, VERSION, &version) != napi_ok ||
      napi_set_named_property(env, exports, "version", version) != napi_ok)
    napi_throw_error(env, nullptr, "Node does not take the version of its operations");
  return exports;
}

}  // namespace
}  // namespace zigzag

NAPI_MODULE(zigzag_operations, zigzag::start)
