"""Models of many families, tiny and with random weights, to test the promises of the PyTorch bridge.

    python3 torch_families.py                 lists the names, one family per line
    python3 torch_families.py NAME...         trains each for one step; prints loss and bytes

Every builder returns (model, args, kwargs) for `model(*args, **kwargs)`, in training mode and the same under one
seed. Builders import their libraries, so that a missing library removes its family only. Dropout keeps the library's
rate.
"""
import importlib
import random
import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

FAMILIES = {}  # family -> {name: builder}
# Enough rows that activations are larger than weights, as in training that lacks memory.
VOCABULARY, LENGTH, BATCH = 96, 48, 4


def model_of(family, name=None):
    """Registers a builder under `family`; its name is the function's, dashes for underscores."""
    def register(builder):
        FAMILIES.setdefault(family, {})[name or builder.__name__.replace('_', '-')] = builder
        return builder
    return register


def seed_all(seed):
    """Every generator that a model may draw from: torch's, Python's and, where it is loaded, NumPy's."""
    torch.manual_seed(seed)
    random.seed(seed)
    if 'numpy' in sys.modules:
        sys.modules['numpy'].random.seed(seed)


def build(name):
    """(model, args, kwargs) for a name."""
    for builders in FAMILIES.values():
        if name in builders:
            seed_all(7)
            model, args, kwargs = builders[name]()
            return model.train(), args, kwargs
    raise KeyError(name)


def tensors_in(value):
    """The tensors of nested lists, tuples and dictionaries, which the outputs of models are too."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        return [t for v in value.values() for t in tensors_in(v)]
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in tensors_in(v)]
    return []


def loss_of(outputs):
    """The loss that the model computed; without one, a mean of its outputs with fixed weights."""
    if isinstance(outputs, dict) and isinstance(outputs.get('loss'), torch.Tensor):
        return outputs['loss']
    if isinstance(outputs, torch.Tensor) and outputs.dim() == 0:
        return outputs
    generator = torch.Generator().manual_seed(3)
    ends = [t for t in tensors_in(outputs) if t.requires_grad]
    weights = [torch.randn(t.shape, generator=generator) for t in ends]
    return sum((t.float() * w).mean() for t, w in zip(ends, weights)) / len(ends)


# ------------------------------------------------------------------------------------------ torchvision

def image(size, batch=BATCH):
    return torch.randn(batch, 3, size, size)


def vision(name, size=64, batch=BATCH, **options):
    def builder():
        models = importlib.import_module('torchvision.models')
        return getattr(models, name)(num_classes=10, **options), (image(size, batch),), {}
    model_of('torchvision', name.replace('_', '-'))(builder)


@model_of('torchvision')
def vgg11():
    """Without the large linear layers at the end and their dropout."""
    vgg = importlib.import_module('torchvision.models.vgg')
    head = nn.Sequential(nn.Flatten(), nn.Linear(512, 64), nn.ReLU(True), nn.Dropout(), nn.Linear(64, 10))
    return nn.Sequential(vgg.make_layers(vgg.cfgs['A']), head), (image(32),), {}


vision('resnet18')
vision('resnet50', 32)
vision('densenet121', 32)
vision('inception_v3', 96, init_weights=False, aux_logits=False)
vision('googlenet', 64, init_weights=False)
vision('mobilenet_v2')
vision('mobilenet_v3_small')
vision('shufflenet_v2_x0_5')
vision('squeezenet1_1')
vision('efficientnet_b0')
vision('regnet_y_400mf')
vision('mnasnet0_5')


@model_of('torchvision')
def vision_transformer():
    from torchvision.models import VisionTransformer
    model = VisionTransformer(image_size=32, patch_size=8, num_layers=3, num_heads=4, hidden_dim=48, mlp_dim=96,
                              dropout=0.1, num_classes=10)
    nn.init.normal_(model.heads.head.weight)  # zero by default
    return model, (image(32),), {}


@model_of('torchvision')
def swin_v2():
    from torchvision.models.swin_transformer import SwinTransformer, SwinTransformerBlockV2, PatchMergingV2
    model = SwinTransformer([4, 4], 24, [2, 2], [2, 4], [4, 4], num_classes=10, block=SwinTransformerBlockV2,
                            downsample_layer=PatchMergingV2)
    return model, (image(64),), {}


@model_of('torchvision')
def convnext_small_blocks():
    from torchvision.models.convnext import CNBlockConfig, ConvNeXt
    model = ConvNeXt([CNBlockConfig(16, 32, 2), CNBlockConfig(32, None, 2)], stochastic_depth_prob=0.2, num_classes=10)
    return model, (image(64),), {}


@model_of('torchvision')
def lraspp_segmentation():
    from torchvision.models.segmentation import lraspp_mobilenet_v3_large
    return lraspp_mobilenet_v3_large(weights=None, weights_backbone=None, num_classes=4), (image(64),), {}


@model_of('torchvision')
def faster_rcnn():
    """Takes a list of images and a list of targets; returns a dictionary of losses."""
    from torchvision.models.detection import fasterrcnn_mobilenet_v3_large_320_fpn
    model = fasterrcnn_mobilenet_v3_large_320_fpn(
        weights=None, weights_backbone=None, num_classes=3, min_size=64, max_size=96, rpn_pre_nms_top_n_train=50,
        rpn_post_nms_top_n_train=20, box_batch_size_per_image=16)
    boxes = torch.tensor([[4., 4., 40., 44.], [20., 10., 60., 50.]])
    targets = [{'boxes': boxes, 'labels': torch.tensor([1, 2])}, {'boxes': boxes[:1], 'labels': torch.tensor([2])}]
    return model, ([torch.rand(3, 64, 64), torch.rand(3, 64, 80)], targets), {}


@model_of('torchvision')
def video_r2plus1d():
    from torchvision.models.video.resnet import BasicBlock, Conv2Plus1D, R2Plus1dStem, VideoResNet
    model = VideoResNet(BasicBlock, [Conv2Plus1D] * 4, [1, 1, 1, 1], R2Plus1dStem, num_classes=5)
    return model, (torch.randn(2, 3, 4, 32, 32),), {}


# ------------------------------------------------------------------------------------------------- timm

def timm_model(name, size=64, batch=BATCH, label=None, **options):
    def builder():
        timm = importlib.import_module('timm')
        return timm.create_model(name, pretrained=False, num_classes=10, **options), (image(size, batch),), {}
    model_of('timm', f'timm-{(label or name).replace("_", "-")}')(builder)


def timm_mlp(name, block, mlp_ratio=(0.5, 4.0), gated=False):
    def builder():
        mixer = importlib.import_module('timm.models.mlp_mixer')
        options = {'mlp_layer': importlib.import_module('timm.layers').GatedMlp} if gated else {}
        model = mixer.MlpMixer(num_classes=10, img_size=64, patch_size=16, num_blocks=3, embed_dim=48,
                               block_layer=getattr(mixer, block), mlp_ratio=mlp_ratio, **options)
        nn.init.normal_(model.head.weight, std=0.1)  # zero by default
        return model, (image(64),), {}
    model_of('timm', f'timm-{name}')(builder)


timm_model('resnetv2_50', layers=(1, 2, 1, 1))
timm_model('resnetv2_50x1_bit', 32, label='resnetv2-50x1-bit')
timm_model('resnet26d', layers=(1, 2, 1, 1), drop_path_rate=0.1)
timm_model('eva02_tiny_patch14_224', 56, img_size=56, depth=3, embed_dim=48, num_heads=3)
timm_model('convnext_atto', depths=(1, 1, 2, 1), dims=(16, 24, 32, 48), drop_path_rate=0.1)
timm_model('convnextv2_atto', depths=(1, 1, 2, 1), dims=(16, 24, 32, 48))
timm_model('swin_tiny_patch4_window7_224', 56, img_size=56, depths=(2, 2), num_heads=(2, 4), embed_dim=24,
           drop_path_rate=0.1)
timm_model('efficientnet_b0', 32)
timm_model('tf_efficientnetv2_b0', 32, drop_path_rate=0.2)
timm_mlp('mixer', 'MixerBlock')
timm_mlp('resmlp', 'ResBlock', mlp_ratio=4)
timm_mlp('gmlp', 'SpatialGatingBlock', mlp_ratio=6, gated=True)
timm_model('vit_tiny_patch16_224', img_size=64, depth=4, embed_dim=48, num_heads=4, drop_path_rate=0.1)
timm_model('deit_tiny_distilled_patch16_224', img_size=64, depth=3, embed_dim=48, num_heads=4)
timm_model('beit_base_patch16_224', img_size=64, depth=3, embed_dim=48, num_heads=4)
timm_model('cait_xxs24_224', img_size=64, depth=3, embed_dim=48)
timm_model('xcit_nano_12_p16_224', img_size=64, depth=3, embed_dim=48)
timm_model('mobilenetv3_small_050')
timm_model('regnety_002')
timm_model('nf_regnet_b0')
timm_model('ghostnet_050')
timm_model('poolformer_s12', 32)
timm_model('pvt_v2_b0')
timm_model('mobilevit_xxs')
timm_model('edgenext_xx_small')
timm_model('repvgg_a0')


# ---------------------------------------------------------------------------------------- transformers



def tokens(length=LENGTH, batch=BATCH):
    return torch.randint(4, VOCABULARY, (batch, length))


def padding(length=LENGTH, batch=BATCH):
    """A mask whose second row ends three tokens early."""
    mask = torch.ones(batch, length, dtype=torch.long)
    mask[1:, length - 3:] = 0
    return mask


def hugging(name, kind, head, *, attention='sdpa', mask=False, labels='tokens', call=None, cache=None, prepare=None,
            **config):
    """A decoder or encoder over tokens: `kind` is its configuration's class, `head` its model's."""
    def builder():
        hf = importlib.import_module('transformers')
        settings = getattr(hf, kind)(**config)
        settings._attn_implementation = attention
        model = getattr(hf, head)(settings)
        ids = tokens()
        kwargs = {'input_ids': ids, **(call or {})}
        if mask:
            kwargs['attention_mask'] = padding()
        if labels == 'tokens':
            kwargs['labels'] = ids.clone()
        elif labels == 'classes':
            kwargs['labels'] = torch.arange(BATCH) % 2
        if cache is not None:
            kwargs['use_cache'] = cache
        if prepare is not None:
            prepare(model, kwargs)
        return model, (), kwargs
    model_of('transformers', f'hf-{name}')(builder)


GPT = {'vocab_size': VOCABULARY, 'n_positions': 64, 'n_embd': 32, 'n_layer': 3, 'n_head': 4,
       'bos_token_id': 1, 'eos_token_id': 2}
SMALL = {'vocab_size': VOCABULARY, 'hidden_size': 32, 'num_hidden_layers': 3, 'num_attention_heads': 4,
         'intermediate_size': 64, 'max_position_embeddings': 64, 'pad_token_id': 0, 'bos_token_id': 1,
         'eos_token_id': 2}
GROUPED = {**SMALL, 'num_key_value_heads': 2}

hugging('gpt2', 'GPT2Config', 'GPT2LMHeadModel', **GPT)
hugging('gpt2-eager', 'GPT2Config', 'GPT2LMHeadModel', attention='eager', mask=True, cache=False, **GPT)
hugging('llama', 'LlamaConfig', 'LlamaForCausalLM', **GROUPED)
hugging('llama-eager', 'LlamaConfig', 'LlamaForCausalLM', attention='eager', mask=True, cache=True, **GROUPED)
hugging('llama-no-cache', 'LlamaConfig', 'LlamaForCausalLM', mask=True, cache=False, **GROUPED)
hugging('qwen2', 'Qwen2Config', 'Qwen2ForCausalLM', mask=True, **GROUPED)
hugging('qwen3', 'Qwen3Config', 'Qwen3ForCausalLM', cache=True, head_dim=8, **GROUPED)
hugging('mistral', 'MistralConfig', 'MistralForCausalLM', cache=False, sliding_window=8, **GROUPED)
hugging('gemma', 'GemmaConfig', 'GemmaForCausalLM', head_dim=8, **GROUPED)
hugging('gemma2', 'Gemma2Config', 'Gemma2ForCausalLM', attention='eager', head_dim=8, sliding_window=8, **GROUPED)
hugging('gemma3', 'Gemma3TextConfig', 'Gemma3ForCausalLM', mask=True, head_dim=8, sliding_window=8, **GROUPED)
hugging('phi', 'PhiConfig', 'PhiForCausalLM', **GROUPED)
hugging('phi3', 'Phi3Config', 'Phi3ForCausalLM', **GROUPED)
hugging('falcon', 'FalconConfig', 'FalconForCausalLM', vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=3,
        num_attention_heads=4, bos_token_id=1, eos_token_id=2)
hugging('opt', 'OPTConfig', 'OPTForCausalLM', mask=True, vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=3,
        ffn_dim=64, num_attention_heads=4, max_position_embeddings=64, word_embed_proj_dim=32, pad_token_id=0)
hugging('gpt-neox', 'GPTNeoXConfig', 'GPTNeoXForCausalLM', **SMALL)
hugging('bloom', 'BloomConfig', 'BloomForCausalLM', attention='eager', vocab_size=VOCABULARY, hidden_size=32, n_layer=3,
        n_head=4)
hugging('mixtral', 'MixtralConfig', 'MixtralForCausalLM', num_local_experts=4, num_experts_per_tok=2,
        output_router_logits=True, **GROUPED)
hugging('qwen2-moe', 'Qwen2MoeConfig', 'Qwen2MoeForCausalLM', num_experts=4, num_experts_per_tok=2,
        moe_intermediate_size=32, shared_expert_intermediate_size=32, **GROUPED)
hugging('mamba', 'MambaConfig', 'MambaForCausalLM', attention='eager', cache=False, vocab_size=VOCABULARY,
        hidden_size=32, state_size=8, num_hidden_layers=2)
hugging('bert', 'BertConfig', 'BertForMaskedLM', mask=True, **SMALL)
hugging('bert-eager', 'BertConfig', 'BertForSequenceClassification', attention='eager', mask=True, labels='classes',
        **SMALL)
hugging('roberta', 'RobertaConfig', 'RobertaForMaskedLM', mask=True, **SMALL)
hugging('albert', 'AlbertConfig', 'AlbertForMaskedLM', embedding_size=16, **SMALL)
hugging('electra', 'ElectraConfig', 'ElectraForSequenceClassification', labels='classes', embedding_size=16, **SMALL)
hugging('modernbert', 'ModernBertConfig', 'ModernBertForMaskedLM', mask=True, cls_token_id=1, sep_token_id=2,
        **SMALL)
hugging('distilbert', 'DistilBertConfig', 'DistilBertForSequenceClassification', mask=True, labels='classes',
        vocab_size=VOCABULARY, dim=32, n_layers=3, n_heads=4, hidden_dim=64, max_position_embeddings=64)
hugging('deberta-v2', 'DebertaV2Config', 'DebertaV2ForSequenceClassification', attention='eager', mask=True,
        labels='classes', relative_attention=True, pos_att_type=['p2c', 'c2p'], position_buckets=8, **SMALL)
hugging('t5', 'T5Config', 'T5ForConditionalGeneration', attention='eager', mask=True, vocab_size=VOCABULARY, d_model=32,
        d_kv=8, d_ff=64, num_layers=2, num_heads=4, decoder_start_token_id=0, pad_token_id=0)
hugging('bart', 'BartConfig', 'BartForConditionalGeneration', mask=True, vocab_size=VOCABULARY, d_model=32,
        encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64,
        decoder_ffn_dim=64, max_position_embeddings=64, pad_token_id=0, bos_token_id=1, eos_token_id=2,
        decoder_start_token_id=2, encoder_layerdrop=0.3)
hugging('llama-checkpointed', 'LlamaConfig', 'LlamaForCausalLM', cache=False,
        prepare=lambda model, _: model.gradient_checkpointing_enable(), **GROUPED)
hugging('gpt2-embeds', 'GPT2Config', 'GPT2LMHeadModel', cache=False,
        prepare=lambda model, kwargs: kwargs.update(inputs_embeds=torch.randn(BATCH, LENGTH, 32, requires_grad=True),
                                                    input_ids=None), **GPT)

hugging('olmo2', 'Olmo2Config', 'Olmo2ForCausalLM', **GROUPED)
hugging('starcoder2', 'Starcoder2Config', 'Starcoder2ForCausalLM', **GROUPED)
hugging('granite', 'GraniteConfig', 'GraniteForCausalLM', **GROUPED)
hugging('stablelm', 'StableLmConfig', 'StableLmForCausalLM', **GROUPED)
hugging('cohere', 'CohereConfig', 'CohereForCausalLM', **GROUPED)
hugging('gpt-oss', 'GptOssConfig', 'GptOssForCausalLM', attention='eager', head_dim=8, num_local_experts=4,
        num_experts_per_tok=2, **GROUPED)
hugging('deepseek-v3', 'DeepseekV3Config', 'DeepseekV3ForCausalLM', moe_intermediate_size=16, n_routed_experts=4,
        num_experts_per_tok=2, n_group=2, topk_group=1, kv_lora_rank=8, q_lora_rank=16, qk_rope_head_dim=8,
        qk_nope_head_dim=8, v_head_dim=8, first_k_dense_replace=1, **{**SMALL, 'num_key_value_heads': 4})
hugging('gpt-bigcode', 'GPTBigCodeConfig', 'GPTBigCodeForCausalLM', **GPT)
hugging('gptj', 'GPTJConfig', 'GPTJForCausalLM', attention='eager', rotary_dim=4, **GPT)
hugging('mpnet', 'MPNetConfig', 'MPNetForMaskedLM', attention='eager', **SMALL)
hugging('xlnet', 'XLNetConfig', 'XLNetForSequenceClassification', attention='eager', labels='classes',
        vocab_size=VOCABULARY, d_model=32, n_layer=3, n_head=4, d_inner=64)
hugging('longformer', 'LongformerConfig', 'LongformerForMaskedLM', attention='eager', attention_window=8,
        sep_token_id=2, **{**SMALL, 'pad_token_id': 1})
hugging('convbert', 'ConvBertConfig', 'ConvBertForMaskedLM', attention='eager', embedding_size=32, **SMALL)
hugging('fnet', 'FNetConfig', 'FNetForMaskedLM', attention='eager', **SMALL)
hugging('pegasus', 'PegasusConfig', 'PegasusForConditionalGeneration', vocab_size=VOCABULARY, d_model=32,
        encoder_layers=2, decoder_layers=2, encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64,
        decoder_ffn_dim=64, max_position_embeddings=64, pad_token_id=0, eos_token_id=2, decoder_start_token_id=0)


@model_of('transformers')
def hf_vit():
    from transformers import ViTConfig, ViTForImageClassification
    config = ViTConfig(hidden_size=32, num_hidden_layers=3, num_attention_heads=4, intermediate_size=64, image_size=32,
                       patch_size=8, num_labels=4, hidden_dropout_prob=0.1)
    return ViTForImageClassification(config), (), {'pixel_values': image(32), 'labels': torch.arange(BATCH)}


@model_of('transformers')
def hf_dinov2():
    from transformers import Dinov2Config, Dinov2ForImageClassification
    config = Dinov2Config(hidden_size=32, num_hidden_layers=3, num_attention_heads=4, image_size=32, patch_size=8,
                          num_labels=4, drop_path_rate=0.1)
    return Dinov2ForImageClassification(config), (), {'pixel_values': image(32), 'labels': torch.arange(BATCH)}


@model_of('transformers')
def hf_segformer():
    from transformers import SegformerConfig, SegformerForSemanticSegmentation
    config = SegformerConfig(num_encoder_blocks=2, depths=[2, 1], hidden_sizes=[16, 32], num_attention_heads=[1, 2],
                             sr_ratios=[2, 1], patch_sizes=[7, 3], strides=[4, 2], mlp_ratios=[2, 2],
                             decoder_hidden_size=32, num_labels=4)
    return SegformerForSemanticSegmentation(config), (), {'pixel_values': image(32),
                                                          'labels': torch.randint(0, 4, (BATCH, 32, 32))}


@model_of('transformers')
def hf_clip():
    from transformers import CLIPConfig, CLIPModel, CLIPTextConfig, CLIPVisionConfig
    shared = {'hidden_size': 32, 'intermediate_size': 64, 'num_hidden_layers': 2, 'num_attention_heads': 4}
    text = CLIPTextConfig(vocab_size=VOCABULARY, max_position_embeddings=64, bos_token_id=1, eos_token_id=2, **shared)
    sight = CLIPVisionConfig(image_size=32, patch_size=8, **shared)
    config = CLIPConfig(text_config=text.to_dict(), vision_config=sight.to_dict(), projection_dim=16)
    ids = tokens()
    ids[:, -1] = 2
    return CLIPModel(config), (), {'input_ids': ids, 'pixel_values': image(32), 'return_loss': True}


@model_of('transformers')
def hf_whisper():
    from transformers import WhisperConfig, WhisperForConditionalGeneration
    config = WhisperConfig(vocab_size=VOCABULARY, d_model=32, encoder_layers=2, decoder_layers=2,
                           encoder_attention_heads=4, decoder_attention_heads=4, encoder_ffn_dim=64,
                           decoder_ffn_dim=64, num_mel_bins=16, max_source_positions=16, max_target_positions=64,
                           pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1, dropout=0.1)
    kwargs = {'input_features': torch.randn(BATCH, 16, 32), 'labels': tokens()}
    return WhisperForConditionalGeneration(config), (), kwargs


@model_of('transformers')
def hf_wav2vec2():
    """Draws hidden frames with NumPy and skipped layers with torch."""
    importlib.import_module('numpy').random.seed(7)
    from transformers import Wav2Vec2Config, Wav2Vec2ForCTC
    config = Wav2Vec2Config(vocab_size=VOCABULARY, hidden_size=32, num_hidden_layers=3, num_attention_heads=4,
                            intermediate_size=64, conv_dim=(16, 16, 16), conv_stride=(5, 4, 2), conv_kernel=(10, 4, 2),
                            num_feat_extract_layers=3, num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4,
                            mask_time_length=4, layerdrop=0.1, ctc_loss_reduction='mean')
    return Wav2Vec2ForCTC(config), (), {'input_values': torch.randn(BATCH, 2000), 'labels': tokens(8)}


@model_of('transformers')
def hf_llava():
    from transformers import CLIPVisionConfig, LlamaConfig, LlavaConfig, LlavaForConditionalGeneration
    sight = CLIPVisionConfig(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
                             image_size=32, patch_size=8)
    config = LlavaConfig(vision_config=sight, text_config=LlamaConfig(**GROUPED), image_token_index=3,
                         image_seq_length=16)
    ids = tokens(24)
    ids[:, :16] = 3
    return LlavaForConditionalGeneration(config), (), {'input_ids': ids, 'pixel_values': image(32),
                                                       'attention_mask': torch.ones_like(ids), 'labels': ids.clone()}


# -------------------------------------------------------------------------------------------- diffusers

@model_of('diffusers')
def unet2d():
    from diffusers import UNet2DModel
    model = UNet2DModel(sample_size=16, block_out_channels=(16, 32), layers_per_block=1, norm_num_groups=8,
                        down_block_types=('DownBlock2D', 'AttnDownBlock2D'),
                        up_block_types=('AttnUpBlock2D', 'UpBlock2D'), attention_head_dim=8)
    return model, (image(16), torch.tensor([3, 50, 7, 100])), {}


@model_of('diffusers')
def unet2d_condition():
    from diffusers import UNet2DConditionModel
    model = UNet2DConditionModel(sample_size=16, block_out_channels=(16, 32), layers_per_block=1, norm_num_groups=8,
                                 down_block_types=('CrossAttnDownBlock2D', 'DownBlock2D'),
                                 up_block_types=('UpBlock2D', 'CrossAttnUpBlock2D'), cross_attention_dim=24,
                                 attention_head_dim=4)
    return model, (torch.randn(BATCH, 4, 16, 16), 7), {'encoder_hidden_states': torch.randn(BATCH, 6, 24)}


@model_of('diffusers')
def dit():
    from diffusers import DiTTransformer2DModel
    model = DiTTransformer2DModel(num_attention_heads=4, attention_head_dim=8, in_channels=4, num_layers=3,
                                  sample_size=8, patch_size=2, num_embeds_ada_norm=10)
    kwargs = {'timestep': torch.tensor([3, 50, 7, 100]), 'class_labels': torch.arange(BATCH)}
    return model, (torch.randn(BATCH, 4, 8, 8),), kwargs


@model_of('diffusers')
def sd3():
    from diffusers import SD3Transformer2DModel
    model = SD3Transformer2DModel(sample_size=8, patch_size=2, in_channels=4, num_layers=3, attention_head_dim=8,
                                  num_attention_heads=4, joint_attention_dim=24, caption_projection_dim=32,
                                  pooled_projection_dim=16, out_channels=4, pos_embed_max_size=8)
    kwargs = {'hidden_states': torch.randn(BATCH, 4, 8, 8), 'encoder_hidden_states': torch.randn(BATCH, 6, 24),
              'pooled_projections': torch.randn(BATCH, 16), 'timestep': torch.tensor([3, 50, 7, 100])}
    return model, (), kwargs


@model_of('diffusers')
def flux():
    from diffusers import FluxTransformer2DModel
    model = FluxTransformer2DModel(patch_size=1, in_channels=8, num_layers=2, num_single_layers=2,
                                   attention_head_dim=16, num_attention_heads=2, joint_attention_dim=24,
                                   pooled_projection_dim=16, axes_dims_rope=(4, 6, 6))
    kwargs = {'hidden_states': torch.randn(BATCH, 16, 8), 'encoder_hidden_states': torch.randn(BATCH, 6, 24),
              'pooled_projections': torch.randn(BATCH, 16), 'timestep': torch.tensor([0.3, 0.5, 0.1, 0.9]),
              'img_ids': torch.zeros(16, 3), 'txt_ids': torch.zeros(6, 3)}
    return model, (), kwargs


@model_of('diffusers')
def autoencoder_kl():
    from diffusers import AutoencoderKL
    model = AutoencoderKL(block_out_channels=(16, 32), layers_per_block=1, norm_num_groups=8, sample_size=32,
                          down_block_types=('DownEncoderBlock2D',) * 2, up_block_types=('UpDecoderBlock2D',) * 2)
    return model, (image(32),), {'sample_posterior': True}


@model_of('diffusers')
def vq_model():
    from diffusers import VQModel
    model = VQModel(block_out_channels=(16, 32), layers_per_block=1, norm_num_groups=8, num_vq_embeddings=32,
                    down_block_types=('DownEncoderBlock2D',) * 2, up_block_types=('UpDecoderBlock2D',) * 2)
    return model, (image(32),), {}


# ---------------------------------------------------------------------------------------- plain PyTorch

class Attention(nn.Module):
    """Causal self-attention; the mask is a buffer, cut to the length of the sequence."""

    def __init__(self, width, heads, longest, rate):
        super().__init__()
        self.heads = heads
        self.mix, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.drop = nn.Dropout(rate)
        self.register_buffer('seen', torch.ones(longest, longest, dtype=torch.bool).tril())

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.mix(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        q, k, v = parts.unbind(0)
        scores = q @ k.transpose(-1, -2) * k.shape[-1] ** -0.5
        scores = scores.masked_fill(~self.seen[:length, :length], float('-inf'))
        y = self.drop(F.softmax(scores, dim=-1)) @ v
        return self.out(y.transpose(1, 2).reshape(batch, length, width))


class Layer(nn.Module):
    def __init__(self, width, heads, longest, rate=0.1):
        super().__init__()
        self.attention = Attention(width, heads, longest, rate)
        self.first, self.second = nn.LayerNorm(width), nn.LayerNorm(width)
        self.feed = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(rate))

    def forward(self, x):
        x = x + self.attention(self.first(x))
        return x + self.feed(self.second(x))


class TinyGpt(nn.Module):
    """Token and position embeddings, layers in a list, and a head that shares the embedding's weight."""

    def __init__(self, depth=4, width=32, heads=4, longest=64, tied=True):
        super().__init__()
        self.token, self.place = nn.Embedding(VOCABULARY, width), nn.Embedding(longest, width)
        self.layers = nn.ModuleList(Layer(width, heads, longest) for _ in range(depth))
        self.last, self.head = nn.LayerNorm(width), nn.Linear(width, VOCABULARY, bias=False)
        if tied:
            self.head.weight = self.token.weight

    def forward(self, ids, targets=None):
        x = self.token(ids) + self.place(torch.arange(ids.shape[1], device=ids.device))
        for layer in self.layers:
            x = layer(x)
        logits = self.head(self.last(x))
        if targets is None:
            return logits, None
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)


@model_of('plain')
def tiny_gpt():
    ids = tokens()
    return TinyGpt(), (ids, ids.roll(-1, 1)), {}


@model_of('plain')
def tiny_gpt_untied():
    return TinyGpt(tied=False), (tokens(),), {}


@model_of('plain')
def encoder_mask():
    class Encoder(nn.Module):
        def __init__(self):
            super().__init__()
            layer = nn.TransformerEncoderLayer(32, 4, 64, batch_first=True)
            self.encoder = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)
            self.register_buffer('mask', torch.ones(64, 64).tril().log())

        def forward(self, x):
            return self.encoder(x, mask=self.mask[:x.size(1), :x.size(1)])

    return Encoder(), (torch.randn(BATCH, LENGTH, 32),), {}


@model_of('plain')
def encoder_decoder():
    model = nn.Transformer(32, 4, 2, 2, 64, batch_first=True)
    mask = torch.ones(24, 24).triu(1).bool()
    return model, (torch.randn(BATCH, LENGTH, 32), torch.randn(BATCH, 24, 32)), {'tgt_mask': mask}


@model_of('plain')
def lstm():
    class Recurrent(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(16, 24, 2, batch_first=True, dropout=0.2, bidirectional=True)
            self.head = nn.Linear(48, 5)

        def forward(self, x):
            y, (h, _) = self.lstm(x)
            return self.head(y), h

    return Recurrent(), (torch.randn(16, 10, 16),), {}


@model_of('plain')
def adversarial():
    class Adversarial(nn.Module):
        """The loss of a generator, through a critic whose weights stay as they are."""

        def __init__(self):
            super().__init__()
            self.generator = nn.Sequential(
                nn.ConvTranspose2d(16, 32, 4), nn.BatchNorm2d(32), nn.ReLU(True),
                nn.ConvTranspose2d(32, 16, 4, 2, 1), nn.BatchNorm2d(16), nn.ReLU(True),
                nn.ConvTranspose2d(16, 3, 4, 2, 1), nn.Tanh())
            self.critic = nn.Sequential(
                nn.Conv2d(3, 16, 4, 2, 1), nn.LeakyReLU(0.2, True), nn.utils.spectral_norm(nn.Conv2d(16, 32, 4, 2, 1)),
                nn.LeakyReLU(0.2, True), nn.Conv2d(32, 1, 4)).requires_grad_(False)

        def forward(self, noise):
            return F.softplus(-self.critic(self.generator(noise))).mean()

    return Adversarial(), (torch.randn(16, 16, 1, 1),), {}


@model_of('plain')
def siamese():
    class Siamese(nn.Module):
        """One network of two pictures, and the loss of their distance."""

        def __init__(self):
            super().__init__()
            self.net = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
                                     nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
                                     nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 16))

        def forward(self, left, right, equal):
            distance = F.pairwise_distance(self.net(left), self.net(right))
            return (equal * distance ** 2 + (1 - equal) * F.relu(1 - distance) ** 2).mean()

    return Siamese(), (image(32), image(32), torch.arange(BATCH) % 2), {}


@model_of('plain')
def gru_cells():
    class Cells(nn.Module):
        def __init__(self):
            super().__init__()
            self.cell, self.head = nn.GRUCell(16, 24), nn.Linear(24, 5)

        def forward(self, x):
            h = x.new_zeros(x.size(0), 24)
            states = []
            for step in x.unbind(1):
                h = self.cell(step, h)
                states.append(self.head(h))
            return torch.stack(states, 1)

    return Cells(), (torch.randn(16, 10, 16),), {}


@model_of('plain')
def packed_sequence():
    class Packed(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding, self.gru = nn.Embedding(VOCABULARY, 16), nn.GRU(16, 24, batch_first=True)
            self.head = nn.Linear(24, 5)

        def forward(self, ids, lengths):
            packed = nn.utils.rnn.pack_padded_sequence(self.embedding(ids), lengths, batch_first=True,
                                                       enforce_sorted=False)
            y, _ = nn.utils.rnn.pad_packed_sequence(self.gru(packed)[0], batch_first=True)
            return self.head(torch.tanh(y))

    return Packed(), (tokens(12, 24), torch.arange(24) % 8 + 5), {}


@model_of('plain')
def list_inputs():
    class Pyramid(nn.Module):
        def __init__(self):
            super().__init__()
            self.convs = nn.ModuleList(nn.Conv2d(c, 16, 3, padding=1) for c in (8, 12, 16))
            self.norms = nn.ModuleList(nn.BatchNorm2d(16) for _ in range(3))

        def forward(self, levels, scale=1.0):
            y = None
            for level, conv, norm in zip(levels, self.convs, self.norms):
                z = F.relu(norm(conv(level)), inplace=True)
                y = z if y is None else z + F.interpolate(y, scale_factor=0.5)
            return {'top': y * scale, 'levels': [y.mean((2, 3)), z]}

    sizes = ((8, 32), (12, 16), (16, 8))
    return Pyramid(), ([torch.randn(BATCH, c, s, s) for c, s in sizes],), {'scale': 0.5}


@model_of('plain')
def dict_inputs():
    class Fields(nn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.numbers = nn.Embedding(VOCABULARY, 16), nn.Linear(6, 16)
            self.mix = nn.Sequential(nn.Linear(32, 64), nn.SiLU(), nn.LayerNorm(64), nn.Linear(64, 3))

        def forward(self, batch):
            words = self.words(batch['words']).mean(1)
            x = torch.cat([words, self.numbers(batch['numbers'])], 1)
            return {'loss': F.cross_entropy(self.mix(x), batch['label']), 'hidden': x.detach()}

    batch = {'words': tokens(8, 64), 'numbers': torch.randn(64, 6), 'label': torch.randint(0, 3, (64,))}
    return Fields(), (batch,), {}


@model_of('plain')
def shared_modules():
    class Shared(nn.Module):
        """One layer that runs four times, and one norm used in two places."""

        def __init__(self):
            super().__init__()
            self.layer, self.norm = Layer(32, 4, 64), nn.LayerNorm(32)

        def forward(self, x):
            for _ in range(4):
                x = self.layer(x)
            return self.norm(x) + self.norm(x.flip(1))

    return Shared(), (torch.randn(BATCH, LENGTH, 32),), {}


@model_of('plain')
def tied_autoencoder():
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.encode = nn.Linear(48, 16)
            self.bias = nn.Parameter(torch.zeros(48))

        def forward(self, x):
            z = torch.sigmoid(self.encode(x))
            return F.linear(z, self.encode.weight.t(), self.bias), z

    return Tied(), (torch.randn(64, 48),), {}


@model_of('plain')
def partly_frozen():
    models = importlib.import_module('torchvision.models')
    model = models.resnet18(num_classes=10)
    for name, parameter in model.named_parameters():
        parameter.requires_grad_(name.startswith(('layer3', 'layer4', 'fc')))
    return model, (image(64),), {}


@model_of('plain')
def lora():
    from peft import LoraConfig, get_peft_model
    from transformers import LlamaConfig, LlamaForCausalLM
    options = LoraConfig(r=4, lora_alpha=8, lora_dropout=0.1, target_modules=['q_proj', 'v_proj'])
    ids = tokens()
    model = get_peft_model(LlamaForCausalLM(LlamaConfig(**GROUPED)), options)
    return model, (), {'input_ids': ids, 'labels': ids.clone(), 'use_cache': False}


@model_of('plain')
def user_checkpointed():
    class Checkpointed(TinyGpt):
        def forward(self, ids):
            x = self.token(ids) + self.place.weight[:ids.shape[1]]
            for layer in self.layers:
                x = checkpoint(layer, x, use_reentrant=False)
            return self.head(self.last(x))

    return Checkpointed(), (tokens(),), {}


@model_of('plain')
def compiled():
    return torch.compile(TinyGpt(2), backend='eager'), (tokens(),), {}


@model_of('plain')
def autocast_inside():
    class Mixed(TinyGpt):
        def forward(self, ids):
            with torch.autocast('cpu', dtype=torch.bfloat16):
                return super().forward(ids)[0].float()

    return Mixed(3), (tokens(),), {}


@model_of('plain')
def unet_skips():
    class Unet(nn.Module):
        def __init__(self):
            super().__init__()
            def double(a, b):
                return nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.BatchNorm2d(b), nn.ReLU(inplace=True))
            self.down = nn.ModuleList((double(3, 8), double(8, 16), double(16, 32)))
            self.up = nn.ModuleList((double(48, 16), double(24, 8)))
            self.out = nn.Conv2d(8, 2, 1)

        def forward(self, x):
            skips = []
            for i, stage in enumerate(self.down):
                x = stage(F.max_pool2d(x, 2) if i else x)
                skips.append(x)
            for stage, skip in zip(self.up, skips[-2::-1]):
                x = stage(torch.cat([skip, F.interpolate(x, size=skip.shape[2:], mode='bilinear')], 1))
            return self.out(x)

    return Unet(), (image(32),), {}


@model_of('plain')
def message_passing():
    class Graph(nn.Module):
        """Sums over edges with index_add_, then a mean for each graph of the batch."""

        def __init__(self):
            super().__init__()
            self.first = nn.Linear(8, 32)
            self.rounds = nn.ModuleList(nn.Linear(64, 32) for _ in range(3))
            self.head = nn.Linear(32, 3)

        def forward(self, nodes, edges, member):
            x = self.first(nodes)
            for layer in self.rounds:
                heard = torch.zeros_like(x).index_add_(0, edges[1], x[edges[0]])
                x = F.relu(layer(torch.cat([x, heard], 1))) + x
            sums = x.new_zeros(int(member.max()) + 1, 32).index_add(0, member, x)
            return self.head(sums / torch.bincount(member).unsqueeze(1))

    member = torch.arange(4).repeat_interleave(10)
    return Graph(), (torch.randn(40, 8), torch.randint(0, 40, (2, 120)), member), {}


@model_of('plain')
def mixture_by_index():
    class Mixture(nn.Module):
        """A router sends each token to two experts; the number of tokens per expert depends on the data."""

        def __init__(self):
            super().__init__()
            self.router = nn.Linear(32, 4)
            self.experts = nn.ModuleList(nn.Sequential(nn.Linear(32, 64), nn.GELU(), nn.Linear(64, 32))
                                         for _ in range(4))

        def forward(self, x):
            flat = x.reshape(-1, 32)
            weights, chosen = self.router(flat).softmax(-1).topk(2, -1)
            y = torch.zeros_like(flat)
            for index, expert in enumerate(self.experts):
                row, place = (chosen == index).nonzero(as_tuple=True)
                if row.numel():
                    y.index_add_(0, row, expert(flat[row]) * weights[row, place, None])
            return y.view_as(x) + x

    return Mixture(), (torch.randn(BATCH, LENGTH, 32),), {}


# ------------------------------------------------------------------------------------------------- main

def missing(family):
    """Missing library of `family`, or None."""
    spec = importlib.util.find_spec
    needs = {'plain': (), 'torchvision': ('torchvision',)}.get(family, (family,))
    return next((name for name in needs if spec(name) is None), None)


def main(names):
    if not names:
        for family, builders in FAMILIES.items():
            print(f'{family} ({len(builders)}): {" ".join(builders)}')
        return
    import time
    for name in names:
        start = time.perf_counter()
        model, args, kwargs = build(name)
        seed_all(11)
        value = loss_of(model(*args, **kwargs))
        value.backward()
        trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
        without = sum(p.grad is None for p in model.parameters() if p.requires_grad)
        print(f'{name}: loss {value.item():.6f}, {trained} parameters, {without} without a gradient, '
              f'{time.perf_counter() - start:.1f} s', flush=True)


if __name__ == '__main__':
    torch.set_num_threads(1)
    sys.dont_write_bytecode = True
    main(sys.argv[1:] if sys.argv[1:] != ['all'] else [n for b in FAMILIES.values() for n in b])
