//===- EmitInstructions.cpp - From ops of a task to instructions
//-----------===//
//
// One instruction an op, but for loads, which are the buffer itself. What an op
// computes was decided by select-kernels; here the decision gets its table.
//
//===----------------------------------------------------------------------===//

#include "codegen/StageEmitter.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::dtc {

namespace fbs = ::dtc::program;

static int64_t elementsOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

static std::vector<uint8_t> toAxes(ArrayAttr names) {
  std::vector<uint8_t> axes;
  for (auto name : names.getAsRange<StringAttr>())
    axes.push_back(toAxisIndex(name.getValue()));
  return axes;
}

/// Appends an instruction with the next operation id.
template <typename Table>
Table &StageEmitter::append(Operation *op, StringRef kind) {
  Table made;
  made.id = context.tables.addOperation(op, kind);
  auto instruction = std::make_unique<fbs::InstructionT>();
  instruction->kind.Set(std::move(made));
  task->instructions.push_back(std::move(instruction));
  return *static_cast<Table *>(task->instructions.back()->kind.value);
}

#define DTC_APPEND(name) append<fbs::name##T>(op, #name)

/// Variables, buffers and reports.
bool StageEmitter::addStructural(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<LoadOp>([](LoadOp) { return true; })
      .Case<ReadOp>([&](ReadOp read) {
        auto &made = DTC_APPEND(Read);
        made.variable = context.variables.lookup(read.getVariable());
        made.result = valueOf(read.getResult());
        return true;
      })
      .Case<StoreOp>([&](StoreOp store) {
        auto &made = DTC_APPEND(Store);
        made.variable = context.variables.lookup(store.getVariable());
        made.value = valueOf(store.getValue());
        return true;
      })
      .Case<ReportOp>([&](ReportOp report) {
        auto &made = DTC_APPEND(Report);
        made.value = valueOf(report.getValue());
        made.metric = report.getMetric().str();
        return true;
      })
      .Case<SaveOp>([&](SaveOp save) {
        auto &made = DTC_APPEND(Copy);
        made.input = valueOf(save.getValue());
        made.result = bufferOf(save.getBuffer());
        return true;
      })
      .Case<ReadBatchOp>([&](ReadBatchOp read) {
        auto &made = DTC_APPEND(ReadBatch);
        made.input = context.inputs.lookup(read.getInput());
        made.result = bufferOf(read.getBuffer());
        return true;
      })
      .Case<ClearOp>([&](ClearOp clear) {
        DTC_APPEND(Clear).accumulator = bufferOf(clear.getBuffer());
        return true;
      })
      .Case<AccumulateIntoOp>([&](AccumulateIntoOp accumulate) {
        auto &made = DTC_APPEND(Accumulate);
        made.value = valueOf(accumulate.getValue());
        made.accumulator = bufferOf(accumulate.getBuffer());
        return true;
      })
      .Default([](Operation *) { return false; });
}

/// Channels and collectives.
bool StageEmitter::addCommunication(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<SendOp>([&](SendOp send) {
        auto &made = DTC_APPEND(Send);
        made.value = valueOf(send.getValue());
        made.peer_stage = send.getPeerStage();
        made.channel = send.getChannel();
        made.elements = elementsOf(send.getValue());
        return true;
      })
      .Case<RecvOp>([&](RecvOp receive) {
        auto &made = DTC_APPEND(Recv);
        made.result = valueOf(receive.getResult());
        made.peer_stage = receive.getPeerStage();
        made.channel = receive.getChannel();
        made.elements = elementsOf(receive.getResult());
        return true;
      })
      .Case<WaitOp>([&](WaitOp wait) {
        auto &made = DTC_APPEND(Wait);
        made.peer_stage = peers[wait.getChannel()];
        made.channel = wait.getChannel();
        made.pending = wait.getPending();
        return true;
      })
      .Case<AllReduceOp>([&](AllReduceOp reduce) {
        auto &made = DTC_APPEND(AllReduce);
        made.input = valueOf(reduce.getInput());
        made.result = valueOf(reduce.getResult());
        made.kind = toProgramReduction(reduce.getKind());
        made.axes = toAxes(reduce.getAxes());
        made.elements = elementsOf(reduce.getInput());
        return true;
      })
      .Case<ReduceScatterOp>([&](ReduceScatterOp scatter) {
        auto &made = DTC_APPEND(ReduceScatter);
        made.input = valueOf(scatter.getInput());
        made.result = valueOf(scatter.getResult());
        made.axis = toAxisIndex(scatter.getAxis());
        made.elements =
            elementsOf(scatter.getResult()) *
            getLayout(scatter.getResult()).sizeOf(scatter.getAxis());
        return true;
      })
      .Case<AllGatherOp>([&](AllGatherOp gather) {
        auto &made = DTC_APPEND(AllGather);
        made.input = valueOf(gather.getInput());
        made.result = valueOf(gather.getResult());
        made.axis = toAxisIndex(gather.getAxis());
        made.dim = getLayout(gather.getInput()).on(gather.getAxis()).dim;
        made.elements = elementsOf(gather.getInput());
        if (auto workspace =
                gather->getAttrOfType<PlaceAttr>(kPlannedWorkspaceAttr))
          made.workspace_offset = workspace.getOffset();
        return true;
      })
      .Default([](Operation *) { return false; });
}

LogicalResult StageEmitter::addKernel(Operation *op) {
  // A result in the place of an operand shares its memory, and the kernel is
  // told: it may rely on all other buffers being apart.
  SmallVector<int> aliases;
  for (Value result : op->getResults()) {
    auto shares = [&](Value operand) {
      const fbs::Place &from = placeOf(operand), &to = placeOf(result);
      return from.offset() == to.offset() &&
             from.slot_stride() == to.slot_stride() &&
             from.micro_batch_stride() == to.micro_batch_stride() &&
             elementsOf(operand) > 0;
    };
    auto found = llvm::find_if(op->getOperands(), shares);
    aliases.push_back(found == op->operand_end()
                          ? -1
                          : static_cast<int>(found - op->operand_begin()));
  }
  FailureOr<unsigned> kernel = context.kernels.add(op, aliases);
  if (failed(kernel))
    return failure();
  auto &made = DTC_APPEND(LaunchKernel);
  made.kernel = *kernel;
  if (auto fused = dyn_cast<FusedOp>(op)) {
    for (Operation &inner : fused.getBody().front().without_terminator())
      llvm::append_range(made.ops, facts->findGraphOps(&inner));
  } else {
    llvm::append_range(made.ops, facts->findGraphOps(op));
  }
  made.inputs = valuesOf(op->getOperands());
  made.outputs = valuesOf(op->getResults());
  made.aliases.assign(aliases.begin(), aliases.end());
  for (const KernelScalar &scalar :
       context.kernels.getKernels()[*kernel].scalars) {
    auto argument = std::make_unique<fbs::ScalarT>();
    constexpr fbs::ScalarKind kKinds[] = {
        fbs::ScalarKind::ExtentStart, fbs::ScalarKind::ExtentLength,
        fbs::ScalarKind::Step, fbs::ScalarKind::Seed};
    argument->kind = kKinds[scalar.kind];
    if (scalar.kind == KernelScalar::ExtentStart ||
        scalar.kind == KernelScalar::ExtentLength) {
      argument->value =
          scalar.buffer < op->getNumOperands()
              ? made.inputs[scalar.buffer]
              : made.outputs[scalar.buffer - op->getNumOperands()];
      argument->dim = scalar.dim;
    }
    made.scalars.push_back(std::move(argument));
  }
  return success();
}

LogicalResult StageEmitter::addCompute(Operation *op) {
  auto chosen = op->getAttrOfType<KernelTemplateAttr>(kPlannedKernelAttr);
  if (!chosen)
    return op->emitOpError("has no ")
           << kPlannedKernelAttr
           << ", which says what makes it; run --dtc-select-kernels first";
  KernelTemplate kernel = chosen.getValue();
  auto slice = dyn_cast<LocalSliceOp>(op);
  if (slice && kernel != KernelTemplate::View) {
    auto &made = DTC_APPEND(LocalSlice);
    made.input = valueOf(slice.getInput());
    made.result = valueOf(slice.getResult());
    made.axis = toAxisIndex(slice.getAxis());
    made.dim = getLayout(slice.getResult()).on(slice.getAxis()).dim;
    return success();
  }
  if (auto partial = dyn_cast<ToPartialOp>(op)) {
    auto &made = DTC_APPEND(ToPartial);
    made.input = valueOf(partial.getInput());
    made.result = valueOf(partial.getResult());
    made.axes = toAxes(partial.getAxes());
    return success();
  }
  if (isa<PackOp>(op)) {
    auto &made = DTC_APPEND(PackBucket);
    made.members = valuesOf(op->getOperands());
    made.result = valueOf(op->getResult(0));
    return success();
  }
  if (isa<UnpackOp>(op)) {
    auto &made = DTC_APPEND(UnpackBucket);
    made.bucket = valueOf(op->getOperand(0));
    made.results = valuesOf(op->getResults());
    return success();
  }
  SmallVector<uint32_t> graphOps = facts->findGraphOps(op);
  switch (kernel) {
  case KernelTemplate::View: {
    auto &made = DTC_APPEND(View);
    made.op = graphOps.empty() ? -1 : static_cast<int32_t>(graphOps[0]);
    made.input = valueOf(op->getOperand(0));
    made.result = valueOf(op->getResult(0));
    return success();
  }
  case KernelTemplate::Library: {
    auto matmul = dyn_cast<MatMulOp>(op);
    if (!matmul)
      return op->emitOpError("is made by a library, but no call is known; "
                             "matmul is");
    auto &made = DTC_APPEND(MatMul);
    made.op = graphOps.empty() ? 0 : graphOps[0];
    made.lhs = valueOf(matmul.getLhs());
    made.rhs = valueOf(matmul.getRhs());
    made.result = valueOf(matmul.getResult());
    made.transpose_lhs = matmul.getTransposeLhs();
    made.transpose_rhs = matmul.getTransposeRhs();
    return success();
  }
  case KernelTemplate::Instruction:
    // A constant: a kernel without inputs writes it.
    if (isPure(op) && op->getNumOperands() == 0)
      return addKernel(op);
    return op->emitOpError("is an instruction that no program has");
  default:
    return addKernel(op);
  }
}

LogicalResult StageEmitter::addInstruction(Operation *op) {
  if (addStructural(op) || addCommunication(op))
    return success();
  return addCompute(op);
}

LogicalResult StageEmitter::addTask(func::FuncOp function,
                                    const EmittedStep &step) {
  auto made = std::make_unique<fbs::TaskT>();
  StringRef kind = stringifyTaskKind(getTaskKind(function));
  made->name =
      step.name == "train" ? kind.str() : (step.name + "." + kind).str();
  made->kind = static_cast<fbs::TaskKind>(getTaskKind(function));
  taskIndex[function.getSymName()] = table->tasks.size();
  table->tasks.push_back(std::move(made));
  task = table->tasks.back().get();
  facts = &step.facts;
  for (Operation &op : function.front().without_terminator())
    if (failed(addInstruction(&op)))
      return failure();
  return success();
}

} // namespace mlir::dtc
